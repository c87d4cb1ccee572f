import type { ToolDefinition } from '@plugboard/contract';
import { contractHash } from './contract-hash.js';
import { featuresOf, similarity } from './similarity.js';

export interface Rename {
  readonly before: ToolDefinition;
  readonly after: ToolDefinition;
}

const ALIKE = 0.7;
/** Comparing all with all is affordable up to here; beyond, only exact twins are found. */
const MAX_PAIRS = 40_000;

const hashWithoutName = (tool: ToolDefinition): string => contractHash({ ...tool, name: '' });

const byHash = (tools: readonly ToolDefinition[]): ReadonlyMap<string, readonly ToolDefinition[]> => {
  const groups = new Map<string, ToolDefinition[]>();
  for (const tool of tools) {
    const hash = hashWithoutName(tool);
    const group = groups.get(hash);
    if (group === undefined) groups.set(hash, [tool]);
    else group.push(tool);
  }
  return groups;
};

const twins = (removed: readonly ToolDefinition[], added: readonly ToolDefinition[]): readonly Rename[] => {
  const candidates = byHash(added);
  return [...byHash(removed)].flatMap(([hash, before]) => {
    const after = candidates.get(hash) ?? [];
    const [only, counterpart] = [before[0], after[0]];
    const unambiguous = before.length === 1 && after.length === 1 && only !== undefined && counterpart !== undefined;
    return unambiguous ? [{ before: only, after: counterpart }] : [];
  });
};

const lookalikes = (removed: readonly ToolDefinition[], added: readonly ToolDefinition[]): readonly Rename[] => {
  if (removed.length * added.length > MAX_PAIRS) return [];
  const candidates = added.map((tool) => ({ tool, features: featuresOf(tool) }));
  const scored = removed
    .flatMap((before) => {
      const features = featuresOf(before);
      return candidates.map((candidate) => ({
        before,
        after: candidate.tool,
        score: similarity(features, candidate.features),
      }));
    })
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score);
  const taken = new Set<ToolDefinition>();
  return scored.filter(({ before, after }) => {
    if (taken.has(before) || taken.has(after)) return false;
    taken.add(before).add(after);
    return true;
  });
};

/** Which of the tools that went are still there under another name: exact twins first, then the most alike. */
export const findRenames = (
  removed: readonly ToolDefinition[],
  added: readonly ToolDefinition[],
): readonly Rename[] => {
  const exact = twins(removed, added);
  const settled = new Set(exact.flatMap(({ before, after }) => [before, after]));
  const rest = (tools: readonly ToolDefinition[]): readonly ToolDefinition[] =>
    tools.filter((tool) => !settled.has(tool));
  return [...exact, ...lookalikes(rest(removed), rest(added))];
};
