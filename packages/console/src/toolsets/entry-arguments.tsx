import type { ToolsetEntry } from '@plugboard/contract';
import { toApiError } from '../api/api-error.js';
import { isJson } from '../api/json.js';
import { useUpstreamTool } from '../api/tools.js';
import { Choice } from '../ui/choice.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { visible } from '../ui/format-text.js';
import { type ArgumentUse, argumentUse, typedValue, valueText } from './toolset-draft.js';

const USES: readonly (readonly [ArgumentUse['use'], string])[] = [
  ['model', 'The model gives it'],
  ['hidden', 'Hidden'],
  ['preset', 'Always this value'],
];

interface ArgumentProps {
  readonly entry: ToolsetEntry;
  readonly name: string;
  readonly required: boolean;
  readonly onChange: (name: string, chosen: ArgumentUse) => void;
}

const Argument = ({ entry, name, required, onChange }: ArgumentProps) => {
  const chosen = argumentUse(entry, name);
  return (
    <li className="argument-row">
      <code>{visible(name)}</code>
      <Choice
        label={`Use of ${name} of ${entry.upstream_name}`}
        value={chosen.use}
        options={required ? USES.filter(([use]) => use !== 'hidden') : USES}
        onChange={(use) => onChange(name, use === 'preset' ? { use, value: '' } : { use })}
      />
      {chosen.use === 'preset' ? (
        <input
          aria-label={`Value of ${name} of ${entry.upstream_name}`}
          placeholder="Text or JSON"
          defaultValue={valueText(chosen.value)}
          onBlur={(event) => onChange(name, { use: 'preset', value: typedValue(event.target.value) })}
        />
      ) : (
        <span className="quiet">{required ? 'required' : ''}</span>
      )}
    </li>
  );
};

interface EntryArgumentsProps {
  readonly entry: ToolsetEntry;
  readonly onChange: ArgumentProps['onChange'];
}

/** Which arguments of a tool the model gives. The definition is read when somebody opens this. */
export const EntryArguments = ({ entry, onChange }: EntryArgumentsProps) => {
  const tool = useUpstreamTool(entry.server_id, entry.upstream_name);
  if (tool.isError) return <Failure error={toApiError(tool.error)} />;
  if (tool.data === undefined) return <Skeleton lines={2} />;
  const schema = tool.data?.input_schema;
  const members = isJson(schema) && isJson(schema['properties']) ? Object.keys(schema['properties']) : [];
  const required = new Set<unknown>(isJson(schema) && Array.isArray(schema['required']) ? schema['required'] : []);
  if (members.length === 0) return <p className="quiet">It takes no arguments that could be hidden.</p>;
  return (
    <ul className="arguments" aria-label={`Arguments of ${entry.upstream_name}`}>
      {members.map((name) => (
        <Argument key={name} entry={entry} name={name} required={required.has(name)} onChange={onChange} />
      ))}
    </ul>
  );
};
