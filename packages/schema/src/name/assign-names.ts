import { identityOf, modelFacingName, withHash, type NameParts } from './model-facing-name.js';

/** A tool that needs a name; `key` says which tool it is, whatever it is called. */
export interface NamedTool extends NameParts {
  readonly key: string;
}

const SEPARATOR = '__';
const FULL_HASH = 60;

/** Does the name say exactly what it stands for, so that nothing was dropped or cut? */
const isFaithful = (tool: NamedTool, name: string): boolean =>
  name === (tool.server === undefined ? tool.tool : `${tool.server}${SEPARATOR}${tool.tool}`);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const inFixedOrder = (tools: readonly NamedTool[]): readonly NamedTool[] => {
  const sorted = [...tools].sort((a, b) => compareText(a.key, b.key) || compareText(identityOf(a), identityOf(b)));
  return sorted.filter((tool, index) => tool.key !== sorted[index - 1]?.key);
};

const groupByName = (tools: readonly NamedTool[]): ReadonlyMap<string, readonly NamedTool[]> => {
  const groups = new Map<string, NamedTool[]>();
  for (const tool of tools) {
    const name = modelFacingName(tool);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [tool]);
    else group.push(tool);
  }
  return groups;
};

/** The one of several equally named tools that may keep the name: the only one that is really called that. */
const keeper = (name: string, group: readonly NamedTool[]): NamedTool | undefined => {
  if (group.length === 1) return group[0];
  const faithful = group.filter((tool) => isFaithful(tool, name));
  return faithful.length === 1 ? faithful[0] : undefined;
};

const hashedName = (tool: NamedTool, taken: ReadonlySet<string>): string => {
  const identity = `${tool.key}\n${identityOf(tool)}`;
  let length = 8;
  let name = withHash(modelFacingName(tool), identity, length);
  while (taken.has(name) && length < FULL_HASH) {
    length += 4;
    name = withHash(modelFacingName(tool), identity, length);
  }
  return name;
};

/** A name for one more tool beside those whose names are given out and stay as they are. */
export const nameBeside = (tool: NamedTool, taken: ReadonlySet<string>): string => {
  const name = modelFacingName(tool);
  return taken.has(name) ? hashedName(tool, taken) : name;
};

/**
 * Names for tools that stand in one list: no two alike, and the same whatever the order of the list. Where names
 * collide, the tool that is really called so keeps the name and the others get a hash of what they are.
 */
export const assignNames = (tools: readonly NamedTool[]): ReadonlyMap<string, string> => {
  const ordered = inFixedOrder(tools);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const homeless: NamedTool[] = [];
  for (const [name, group] of groupByName(ordered)) {
    const kept = keeper(name, group);
    if (kept !== undefined) {
      names.set(kept.key, name);
      taken.add(name);
    }
    homeless.push(...group.filter((tool) => tool !== kept));
  }
  for (const tool of homeless) {
    const name = hashedName(tool, taken);
    names.set(tool.key, name);
    taken.add(name);
  }
  return new Map(ordered.map((tool) => [tool.key, names.get(tool.key) as string]));
};
