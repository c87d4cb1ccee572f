import type { OfferedEntry, ToolsetEntry } from '@plugboard/contract';
import { Minus } from 'lucide-react';
import { useState } from 'react';
import { useServers } from '../api/servers.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { counted, visible } from '../ui/format-text.js';
import { EntryArguments } from './entry-arguments.js';
import { hiddenCount, renamed, sameTool, withArgument } from './toolset-draft.js';

type Words = Readonly<{ tone: Tone; word: string }>;

const STATES: Readonly<Record<Exclude<OfferedEntry['state'], 'offered'>, Words>> = {
  missing: { tone: 'bad', word: 'Missing' },
  withheld: { tone: 'warn', word: 'Withheld' },
  not_read_only: { tone: 'warn', word: 'Not read-only' },
  unfit: { tone: 'bad', word: 'Cannot be offered' },
};

const VERDICTS: Readonly<Record<NonNullable<OfferedEntry['provider_verdict']>, Words>> = {
  ok: { tone: 'good', word: 'As it is' },
  rewritten: { tone: 'info', word: 'Rewritten' },
  lossy: { tone: 'warn', word: 'Rewritten, with losses' },
  rejected: { tone: 'bad', word: 'Rejected' },
};

/** That it is not offered says more than what the provider makes of it. */
const wordsOf = ({ state, provider_verdict }: OfferedEntry): Words | undefined => {
  if (provider_verdict !== undefined) return VERDICTS[provider_verdict];
  return state === 'offered' ? undefined : STATES[state];
};

interface ChosenToolProps {
  readonly entry: ToolsetEntry;
  readonly offered: OfferedEntry | undefined;
  readonly entries: readonly ToolsetEntry[];
  readonly server: string;
  readonly onChange: (entries: readonly ToolsetEntry[]) => void;
  readonly onRemove: (entry: ToolsetEntry) => void;
}

const ChosenTool = ({ entry, offered, entries, server, onChange, onRemove }: ChosenToolProps) => {
  const [open, setOpen] = useState(false);
  const words = offered === undefined ? undefined : wordsOf(offered);
  const hidden = hiddenCount(entry);
  return (
    <li className="card padded stack tight">
      <div className="preview-head">
        <strong>
          {visible(entry.upstream_name)} <span className="quiet row-server">{visible(server)}</span>
        </strong>
        {words === undefined ? null : <Badge tone={words.tone}>{words.word}</Badge>}
        {offered?.tokens === undefined ? null : <span className="quiet">{counted(offered.tokens, 'token')}</span>}
        <Button
          look="bare"
          icon={<Minus size={15} />}
          aria-label={`Remove ${entry.upstream_name}`}
          title="Remove"
          onClick={() => onRemove(entry)}
        />
      </div>
      {offered?.reason === undefined ? null : <p className="quiet">{visible(offered.reason)}</p>}
      <input
        aria-label={`Name of ${entry.upstream_name} for models`}
        placeholder={offered?.name ?? 'Name for models'}
        defaultValue={entry.name ?? ''}
        onBlur={({ target }) => {
          if (target.value.trim() !== (entry.name ?? '')) onChange(renamed(entries, entry, target.value));
        }}
      />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{hidden === 0 ? 'Arguments' : `Arguments, ${hidden} hidden from the model`}</summary>
        {open ? (
          <EntryArguments
            entry={entry}
            onChange={(name, chosen) => onChange(withArgument(entries, entry, name, chosen))}
          />
        ) : null}
      </details>
    </li>
  );
};

interface ChosenToolsProps extends Pick<ChosenToolProps, 'entries' | 'onChange' | 'onRemove'> {
  readonly offered: readonly OfferedEntry[];
}

/** The tools of a toolset, each as models get it. */
export const ChosenTools = ({ entries, offered, onChange, onRemove }: ChosenToolsProps) => {
  const { data: servers = [] } = useServers();
  if (entries.length === 0) {
    return <p className="quiet">Add tools from the list, or drag them here. Nothing is offered yet.</p>;
  }
  return (
    <ul className="stack" aria-label="Chosen tools">
      {entries.map((entry) => (
        <ChosenTool
          key={`${entry.server_id} ${entry.upstream_name}`}
          entry={entry}
          entries={entries}
          offered={offered.find((one) => sameTool(one, entry))}
          server={servers.find(({ id }) => id === entry.server_id)?.server_name ?? ''}
          onChange={onChange}
          onRemove={onRemove}
        />
      ))}
    </ul>
  );
};
