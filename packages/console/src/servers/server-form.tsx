import type { ServerType } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { type DraftProblems, problemsOf, type ServerDraft } from './server-draft.js';

interface ServerFormProps {
  readonly start: ServerDraft;
  readonly action: string;
  /** The transport of a registered server cannot be changed. */
  readonly fixedType?: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSubmit: (draft: ServerDraft) => void;
  readonly onCancel: () => void;
}

const TYPES: readonly (readonly [ServerType, string])[] = [
  ['streamable_http', 'URL (Streamable HTTP)'],
  ['stdio', 'Program (stdio)'],
  ['sse', 'URL (HTTP+SSE, older servers)'],
];

interface PartProps {
  readonly draft: ServerDraft;
  readonly problems: DraftProblems;
  readonly change: (part: Partial<ServerDraft>) => void;
}

const ProgramFields = ({ draft, problems, change }: PartProps) => (
  <>
    <Field label="Command" help="It is run without a shell." error={problems.command}>
      {(ids) => (
        <input {...ids} value={draft.command} placeholder="npx" onChange={(e) => change({ command: e.target.value })} />
      )}
    </Field>
    <Field label="Arguments" help="One per line. One with line breaks is a JSON string, in quotes.">
      {(ids) => <textarea {...ids} rows={3} value={draft.args} onChange={(e) => change({ args: e.target.value })} />}
    </Field>
    <Field label="Environment" help="NAME=value, one per line. Values are encrypted and shown masked.">
      {(ids) => (
        <textarea
          {...ids}
          rows={2}
          value={draft.env}
          onChange={(e) => change({ env: e.target.value })}
          spellCheck={false}
        />
      )}
    </Field>
    <Field label="Working directory">
      {(ids) => <input {...ids} value={draft.cwd} onChange={(e) => change({ cwd: e.target.value })} />}
    </Field>
  </>
);

const UrlFields = ({ draft, problems, change }: PartProps) => (
  <>
    <Field label="URL" error={problems.url}>
      {(ids) => (
        <input
          {...ids}
          type="url"
          value={draft.url}
          placeholder="https://example.com/mcp"
          onChange={(e) => change({ url: e.target.value })}
        />
      )}
    </Field>
    <div className="two">
      <Field label="Token" help="Encrypted, and shown masked.">
        {(ids) => (
          <input
            {...ids}
            value={draft.authToken}
            autoComplete="off"
            spellCheck={false}
            onChange={(e) => change({ authToken: e.target.value })}
          />
        )}
      </Field>
      <Field label="Header of the token" help="Authorization when empty.">
        {(ids) => <input {...ids} value={draft.authHeader} onChange={(e) => change({ authHeader: e.target.value })} />}
      </Field>
    </div>
    <Field label="Other headers" help="Name: value, one per line.">
      {(ids) => (
        <textarea
          {...ids}
          rows={2}
          value={draft.headers}
          spellCheck={false}
          onChange={(e) => change({ headers: e.target.value })}
        />
      )}
    </Field>
  </>
);

export const ServerForm = ({ start, action, fixedType, busy, error, onSubmit, onCancel }: ServerFormProps) => {
  const [draft, setDraft] = useState(start);
  const [tried, setTried] = useState(false);
  const problems = tried ? problemsOf(draft) : {};
  const change = (part: Partial<ServerDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problemsOf(draft)).length === 0) onSubmit(draft);
  };
  const parts = { draft, problems, change };
  return (
    <form className="stack form" onSubmit={submit} noValidate>
      {error === null ? null : <Failure error={toApiError(error)} />}
      <div className="two">
        <Field label="Name" help="Part of the names that models see." error={problems.name}>
          {(ids) => <input {...ids} value={draft.name} onChange={(e) => change({ name: e.target.value })} autoFocus />}
        </Field>
        <Field label="How to reach it">
          {(ids) => (
            <Choice
              {...ids}
              value={draft.type}
              options={TYPES}
              disabled={fixedType === true}
              onChange={(type) => change({ type })}
            />
          )}
        </Field>
      </div>
      {draft.type === 'stdio' ? <ProgramFields {...parts} /> : <UrlFields {...parts} />}
      <div className="actions">
        <Button type="submit" look="main" busy={busy}>
          {action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
};
