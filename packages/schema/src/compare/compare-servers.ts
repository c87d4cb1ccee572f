import type { ToolDefinition } from '@plugboard/contract';
import type { Change } from './change.js';
import { compareTools } from './compare-tools.js';
import { findRenames } from './find-renames.js';

const byName = (tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> => {
  const named = new Map<string, ToolDefinition>();
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool);
  return named;
};

/** Every difference between two tool lists of one server. The order of a list makes no difference. */
export const compareServers = (
  before: readonly ToolDefinition[],
  after: readonly ToolDefinition[],
): readonly Change[] => {
  const [old, now] = [byName(before), byName(after)];
  const removed = [...old.values()].filter(({ name }) => !now.has(name));
  const added = [...now.values()].filter(({ name }) => !old.has(name));
  const renames = findRenames(removed, added);
  const newNames = new Map(renames.map((rename) => [rename.before.name, rename.after]));
  const renamedTo = new Set(renames.map((rename) => rename.after.name));

  const changes: Change[] = [];
  for (const tool of old.values()) {
    const successor = newNames.get(tool.name);
    const counterpart = now.get(tool.name) ?? successor;
    if (successor !== undefined) {
      const sentence = `The tool "${tool.name}" was renamed to "${successor.name}".`;
      changes.push({ kind: 'breaking', code: 'tool-renamed', tool: tool.name, pointer: '/name', sentence });
    }
    if (counterpart !== undefined) {
      changes.push(...compareTools(tool, counterpart));
    } else {
      const sentence = `The tool "${tool.name}" was removed.`;
      changes.push({ kind: 'breaking', code: 'tool-removed', tool: tool.name, pointer: '', sentence });
    }
  }
  for (const { name } of added) {
    if (renamedTo.has(name)) continue;
    changes.push({ kind: 'compatible', code: 'tool-added', tool: name, pointer: '', sentence: `New tool "${name}".` });
  }
  return changes;
};
