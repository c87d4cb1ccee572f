import { identityOf, modelFacingName } from './model-facing-name.js';
import { hashedName, NameIndex, type NamedTool } from './name-index.js';

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const inFixedOrder = (tools: readonly NamedTool[]): readonly NamedTool[] => {
  const sorted = [...tools].sort((a, b) => compareText(a.key, b.key) || compareText(identityOf(a), identityOf(b)));
  return sorted.filter((tool, index) => tool.key !== sorted[index - 1]?.key);
};

/** A name for one more tool beside those whose names are given out and stay as they are. */
export const nameBeside = (tool: NamedTool, taken: ReadonlySet<string>): string => {
  const name = modelFacingName(tool);
  return taken.has(name) ? hashedName(tool, (other) => taken.has(other)) : name;
};

/**
 * Names for tools that stand in one list: no two alike, and the same whatever the order of the list. Where names
 * collide, the tool that is really called so keeps the name and the others get a hash of what they are.
 */
export const assignNames = (tools: readonly NamedTool[]): ReadonlyMap<string, string> => {
  const ordered = inFixedOrder(tools);
  const index = new NameIndex();
  for (const tool of ordered) index.put(tool);
  index.settle();
  return new Map(ordered.map(({ key }) => [key, index.nameOf(key) as string]));
};
