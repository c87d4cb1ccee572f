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

/** What becomes of an argument in a toolset: the model gives it, nobody does, or it always has this value. */
export type ArgumentUse = { readonly use: 'model' | 'hidden' } | { readonly use: 'preset'; readonly value: unknown };

export const argumentUse = ({ hidden_arguments, preset_arguments }: Entry, name: string): ArgumentUse => {
  if (preset_arguments !== undefined && Object.hasOwn(preset_arguments, name)) {
    return { use: 'preset', value: preset_arguments[name] };
  }
  return { use: hidden_arguments?.includes(name) === true ? 'hidden' : 'model' };
};

/** How many arguments the model does not see. */
export const hiddenCount = ({ hidden_arguments = [], preset_arguments = {} }: Entry): number =>
  new Set([...hidden_arguments, ...Object.keys(preset_arguments)]).size;

export const withArgument = (
  entries: readonly Entry[],
  which: Entry,
  name: string,
  chosen: ArgumentUse,
): readonly Entry[] =>
  entries.map((entry) => {
    if (!sameTool(entry, which)) return entry;
    const { hidden_arguments = [], preset_arguments = {}, ...rest } = entry;
    const hidden = [...hidden_arguments.filter((other) => other !== name), ...(chosen.use === 'hidden' ? [name] : [])];
    const preset = Object.fromEntries([
      ...Object.entries(preset_arguments).filter(([other]) => other !== name),
      ...(chosen.use === 'preset' ? [[name, chosen.value] as const] : []),
    ]);
    return {
      ...rest,
      ...(hidden.length === 0 ? {} : { hidden_arguments: hidden }),
      ...(Object.keys(preset).length === 0 ? {} : { preset_arguments: preset }),
    };
  });

/** A value as somebody types it: JSON if it is some, else the text itself. */
export const typedValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The text from which the same value is read again. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' && typedValue(value) === value ? value : (JSON.stringify(value) ?? '');
