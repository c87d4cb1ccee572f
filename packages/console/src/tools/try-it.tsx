import type { ToolView } from '@plugboard/contract';
import { Play, Square } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import type { PastRun } from '../api/kept-runs.js';
import { AppFrame } from '../apps/app-frame.js';
import { useAppTools } from '../apps/use-app-tools.js';
import { hasMembers, readArguments } from '../client/arguments-text.js';
import { ResultView } from '../client/result-view.js';
import { RunView } from '../client/run-view.js';
import { forgetReplay, replayFor } from '../replay/replay.js';
import { MissingValues, ReplayQuestion } from '../replay/replay-question.js';
import { Boundary } from '../ui/boundary.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Field } from '../ui/field.js';
import { visible } from '../ui/format-text.js';
import { Notice } from '../ui/notice.js';
import { Skeleton } from '../ui/skeleton.js';
import { snippetsOf } from './snippets.js';
import { RunHistory } from './run-history.js';
import { useToolRun } from './tool-run.js';

const SchemaForm = lazy(() => import('../client/schema-form.js'));

type Arguments = Readonly<Record<string, unknown>>;

const pretty = (args: Arguments): string => JSON.stringify(args, undefined, 2);

/** Calls the tool from the page, as an MCP client. */
export const TryIt = ({ tool }: { readonly tool: ToolView }) => {
  const formId = useId();
  const schema = tool.normalised?.schema ?? tool.input_schema;
  const fillable = hasMembers(schema);
  const [asJson, setAsJson] = useState(!fillable);
  const queries = useQueryClient();
  const [replay] = useState(() => replayFor(queries, tool.id));
  useEffect(() => forgetReplay(queries, tool.id), [queries, tool.id]);
  const given = replay !== undefined && 'args' in replay ? replay.args : undefined;
  const [args, setArgs] = useState<Arguments>(given ?? {});
  const [text, setText] = useState(pretty(given ?? {}));
  const [again, setAgain] = useState<Arguments | undefined>(given);
  const server = tool.metadata.mcp.server_name;
  const { mcp, run, call, last, history, clear } = useToolRun(tool);
  const [left, setLeft] = useState<readonly string[]>([]);
  const apps = useAppTools(server, mcp, last !== undefined);
  const appUri = apps.data?.get(tool.upstream_name)?.resourceUri;
  const [ready, setReady] = useState(false);
  const [wanted, setWanted] = useState(false);
  const read = readArguments(text);
  const problem = asJson && 'problem' in read ? read.problem : undefined;
  const current = asJson && 'args' in read ? read.args : args;
  const start = (): void => {
    if (problem !== undefined) return;
    setLeft([]);
    void call(current);
  };
  // The form is loaded later than the button: a click before that holds until the form is there.
  useEffect(() => {
    if (!ready || !wanted) return;
    setWanted(false);
    const form = document.querySelector(`#${CSS.escape(formId)}`);
    if (form instanceof HTMLFormElement) form.requestSubmit();
  }, [ready, wanted, formId]);
  const setBoth = (next: Arguments): void => {
    setArgs(next);
    setText(pretty(next));
  };
  const pick = ({ args: before, hidden }: PastRun): void => {
    setBoth(before);
    setLeft(hidden);
  };
  const byForm = ready ? { type: 'submit' as const, form: formId } : { onClick: () => setWanted(true) };
  const runAction = asJson || !fillable ? { onClick: start } : byForm;
  const rawField = (
    <Field label="Arguments as JSON" error={problem}>
      {(ids) => (
        <textarea {...ids} rows={8} value={text} spellCheck={false} onChange={(e) => setText(e.target.value)} />
      )}
    </Field>
  );
  return (
    <div className="try">
      <section className="stack" aria-label="Call">
        {replay !== undefined && 'missing' in replay ? <MissingValues kinds={replay.missing} /> : null}
        {left.length === 0 ? null : (
          <Notice tone="info" title={`Fill in ${left.map(visible).join(', ')}`}>
            <p>The browser does not keep values that look like secrets.</p>
          </Notice>
        )}
        {fillable ? (
          <label className="check-line">
            <input
              type="checkbox"
              checked={asJson}
              onChange={(event) => {
                setAsJson(event.target.checked);
                setBoth(current);
              }}
            />
            Edit as JSON
          </label>
        ) : null}
        {asJson || !fillable ? (
          rawField
        ) : (
          <Boundary fallback={rawField}>
            <Suspense fallback={<Skeleton lines={3} />}>
              <SchemaForm
                id={formId}
                schema={schema}
                value={args}
                onChange={setArgs}
                onSubmit={start}
                onReady={() => setReady(true)}
              />
            </Suspense>
          </Boundary>
        )}
        <div className="actions">
          <Button look="main" icon={<Play size={15} />} busy={run.running || wanted} {...runAction}>
            Run
          </Button>
          {run.running ? (
            <Button icon={<Square size={14} />} onClick={run.cancel}>
              Cancel
            </Button>
          ) : null}
        </div>
        <details>
          <summary>Call it from elsewhere</summary>
          <div className="stack">
            {snippetsOf({ origin: window.location.origin, server, tool: tool.upstream_name, args: current }).map(
              (snippet) =>
                'text' in snippet ? (
                  <CopyText key={snippet.name} label={snippet.name} text={snippet.text} />
                ) : (
                  <p key={snippet.name}>
                    No {snippet.name} command: {snippet.reason}
                  </p>
                ),
            )}
          </div>
        </details>
        <RunHistory
          runs={history}
          onPick={pick}
          onAgain={(past) => (past.hidden.length === 0 ? setAgain(past.args) : pick(past))}
          onClear={clear}
        />
      </section>
      {again === undefined ? null : (
        <ReplayQuestion
          tool={tool}
          args={again}
          onDone={() => setAgain(undefined)}
          onRun={() => {
            setBoth(again);
            void call(again);
          }}
        />
      )}
      <div className="stack">
        {apps.data === undefined || appUri === undefined || last === undefined ? null : (
          <AppFrame
            key={last.id}
            mcp={mcp}
            server={server}
            uri={appUri}
            tools={apps.data}
            args={last.args}
            result={run.outcome?.result}
          />
        )}
        <RunView run={run} idle="Run the tool to see its result here.">
          {(result) => <ResultView result={result} outputSchema={tool.output_schema} />}
        </RunView>
      </div>
    </div>
  );
};
