import type { ToolView } from '@plugboard/contract';
import { Play, Square } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Boundary } from '../ui/boundary.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { Skeleton } from '../ui/skeleton.js';
import { milliseconds, visible } from '../ui/words.js';
import { hasMembers, readArguments } from './arguments-text.js';
import { QuestionDialog } from './question-dialog.js';
import { ResultView } from './result-view.js';
import { snippetsOf } from './snippets.js';
import { type PastRun, useToolRun } from './tool-run.js';

const SchemaForm = lazy(() => import('./schema-form.js'));

type Arguments = Readonly<Record<string, unknown>>;

const pretty = (args: Arguments): string => JSON.stringify(args, undefined, 2);

const History = ({ runs, onPick }: { readonly runs: readonly PastRun[]; readonly onPick: (args: Arguments) => void }) =>
  runs.length === 0 ? null : (
    <section className="stack tight">
      <h2>History</h2>
      <ul className="card">
        {runs.map(({ id, at, args, ms, failed }) => (
          <li key={id}>
            <button type="button" className="history" onClick={() => onPick(args)}>
              <time dateTime={at}>{at.slice(11, 19)}</time>
              <span className={failed ? 'field-error' : 'quiet'}>{failed ? 'failed' : milliseconds(ms)}</span>
              <code className="history-args">{visible(JSON.stringify(args).slice(0, 200))}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );

/** Calls the tool from the page, as an MCP client. */
export const TryIt = ({ tool }: { readonly tool: ToolView }) => {
  const formId = useId();
  const schema = tool.normalised?.schema ?? tool.input_schema;
  const fillable = hasMembers(schema);
  const [asJson, setAsJson] = useState(!fillable);
  const [args, setArgs] = useState<Arguments>({});
  const [text, setText] = useState('{}');
  const server = tool.metadata.mcp.server_name;
  const run = useToolRun(tool);
  const read = readArguments(text);
  const problem = asJson && 'problem' in read ? read.problem : undefined;
  const current = asJson && 'args' in read ? read.args : args;
  const start = (): void => {
    if (problem === undefined) run.start(current);
  };
  const setBoth = (next: Arguments): void => {
    setArgs(next);
    setText(pretty(next));
  };
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
              <SchemaForm id={formId} schema={schema} value={args} onChange={setArgs} onSubmit={start} />
            </Suspense>
          </Boundary>
        )}
        <div className="actions">
          <Button
            look="main"
            icon={<Play size={15} />}
            busy={run.running}
            {...(asJson || !fillable ? { onClick: start } : { type: 'submit' as const, form: formId })}
          >
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
        <History
          runs={run.history}
          onPick={(picked) => {
            setBoth(picked);
          }}
        />
      </section>
      <section className="stack" aria-label="Result" aria-live="polite">
        {run.progress === undefined ? null : (
          <p className="progress-line">
            <progress
              value={run.progress.value}
              {...(run.progress.total === undefined ? {} : { max: run.progress.total })}
            />
            {visible(run.progress.message)}
          </p>
        )}
        {run.logs.length === 0 ? null : <pre className="code wrap">{visible(run.logs.join('\n'))}</pre>}
        {run.error === undefined ? null : <Failure error={run.error} />}
        {run.outcome === undefined ? null : (
          <>
            <p className="quiet">Answered in {milliseconds(run.outcome.ms)}</p>
            <ResultView result={run.outcome.result} />
          </>
        )}
        {run.outcome === undefined && run.error === undefined && !run.running ? (
          <p className="quiet">Run the tool to see its result here.</p>
        ) : null}
      </section>
      {run.question === undefined ? null : <QuestionDialog question={run.question} />}
    </div>
  );
};
