import type { ToolsetEntry, ToolView } from '@plugboard/contract';

type Entry = ToolsetEntry;

export const sameTool = (left: Pick<Entry, 'server_id' | 'upstream_name'>, right: typeof left): boolean =>
  left.server_id === right.server_id && left.upstream_name === right.upstream_name;

export const withTool = (
  entries: readonly Entry[],
  { server_id, upstream_name }: Pick<ToolView, 'server_id' | 'upstream_name'>,
): readonly Entry[] =>
  entries.some((entry) => sameTool(entry, { server_id, upstream_name }))
    ? entries
    : [...entries, { server_id, upstream_name }];

export const withoutTool = (entries: readonly Entry[], gone: Entry): readonly Entry[] =>
  entries.filter((entry) => !sameTool(entry, gone));

/** A name that is left empty is the tool's own. */
export const renamed = (entries: readonly Entry[], which: Entry, name: string): readonly Entry[] =>
  entries.map((entry) => {
    if (!sameTool(entry, which)) return entry;
    const { name: _before, ...rest } = entry;
    return name.trim() === '' ? rest : { ...rest, name: name.trim() };
  });

/** Names of arguments that the model does not see, typed with commas between them. */
export const hiding = (entries: readonly Entry[], which: Entry, names: string): readonly Entry[] =>
  entries.map((entry) => {
    if (!sameTool(entry, which)) return entry;
    const { hidden_arguments: _before, ...rest } = entry;
    const hidden = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    return hidden.length === 0 ? rest : { ...rest, hidden_arguments: hidden };
  });
