import type { ServerCreate } from '@plugboard/contract';
import { useMemo, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useAddServer, useServers } from '../api/servers.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { counted, visible } from '../ui/format-text.js';
import { type PastedEntry, readMcpJson } from './mcp-json.js';

const EXAMPLE = `{
  "mcpServers": {
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
  }
}`;

const summary = ({ config }: ServerCreate): string =>
  config.mcp_server_type === 'stdio' ? [config.command, ...config.args].join(' ') : config.server_url;

type Outcome = { readonly word: string; readonly bad: boolean };

const Preview = ({
  entry,
  taken,
  outcome,
}: {
  readonly entry: PastedEntry;
  readonly taken: boolean;
  readonly outcome: Outcome | undefined;
}) => {
  const state = ((): readonly ['good' | 'bad' | 'warn' | 'info', string] => {
    if (outcome !== undefined) return [outcome.bad ? 'bad' : 'good', outcome.word];
    if (entry.problem !== undefined) return ['bad', 'Cannot be added'];
    return taken ? ['warn', 'Name is taken'] : ['info', 'Will be added'];
  })();
  return (
    <li className="preview">
      <span className="row-name">{visible(entry.name)}</span>
      <Badge tone={state[0]}>{state[1]}</Badge>
      <span className="quiet mono preview-note">
        {entry.problem ?? (entry.create && visible(summary(entry.create)))}
      </span>
    </li>
  );
};

/** Adds the servers of another client, each shown before it is added. */
export const PasteForm = ({ onDone }: { readonly onDone: () => void }) => {
  const [text, setText] = useState('');
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  const servers = useServers();
  const add = useAddServer();
  const pasted = useMemo(() => (text.trim() === '' ? undefined : readMcpJson(text, window.location.origin)), [text]);
  const taken = new Set((servers.data ?? []).map(({ server_name }) => server_name));
  const ready = (pasted?.entries ?? []).flatMap(({ name, create }) =>
    create === undefined || taken.has(name) || outcomes[name] !== undefined ? [] : [create],
  );
  const addAll = async (): Promise<void> => {
    let failed = 0;
    for (const create of ready) {
      const outcome: Outcome = await add.mutateAsync(create).then(
        ({ status }) => ({ word: status.state === 'failing' ? 'Added, but failing' : 'Added', bad: false }),
        (thrown: unknown) => ({ word: toApiError(thrown).message, bad: true }),
      );
      failed += outcome.bad ? 1 : 0;
      setOutcomes((before) => ({ ...before, [create.server_name]: outcome }));
    }
    if (failed === 0) onDone();
  };
  return (
    <div className="stack form">
      <Field
        label="Configuration"
        help="The JSON of Claude Desktop, Cursor, VS Code, Windsurf or Zed. Values of env and headers are encrypted."
      >
        {(ids) => (
          <textarea
            {...ids}
            rows={10}
            value={text}
            placeholder={EXAMPLE}
            spellCheck={false}
            onChange={(event) => {
              setText(event.target.value);
              setOutcomes({});
            }}
          />
        )}
      </Field>
      {pasted?.problem === undefined ? null : <Notice tone="warn">{pasted.problem}</Notice>}
      {pasted === undefined || pasted.entries.length === 0 ? null : (
        <ul className="card" aria-label="Preview">
          {pasted.entries.map((entry, at) => (
            <Preview
              key={at}
              entry={entry}
              taken={taken.has(entry.name)}
              outcome={entry.create === undefined ? undefined : outcomes[entry.name]}
            />
          ))}
        </ul>
      )}
      <div className="actions">
        <Button look="main" disabled={ready.length === 0} busy={add.isPending} onClick={() => void addAll()}>
          {ready.length === 0 ? 'Add servers' : `Add ${counted(ready.length, 'server')}`}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </div>
  );
};
