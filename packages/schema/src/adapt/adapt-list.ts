import type { ToolDefinition } from '@plugboard/contract';
import { assignNames } from '../name/assign-names.js';
import { checkList, type CheckOptions } from '../profile/check-against-profile.js';
import type { ProfileFinding } from '../profile/definition/finding.js';
import { PROFILES, type ProfileId } from '../profile/registry.js';
import { adaptTool, type Adaptation } from './adapt-tool.js';

export interface AdaptListOptions extends CheckOptions {
  /** Put before every name as `prefix__name`; a string for all, or one per tool. */
  readonly prefix?: string | ((tool: ToolDefinition, index: number) => string | undefined) | undefined;
}

/** A whole list for one provider: what becomes of each tool, and of all of them together. */
export interface ListAdaptation {
  readonly verdict: Adaptation['verdict'];
  readonly tools: readonly Adaptation[];
  /** What the provider says of the list as a whole, rejected tools left out. */
  readonly findings: readonly ProfileFinding[];
  /** By the name that the model sees. */
  readonly byName: ReadonlyMap<string, Adaptation>;
}

const prefixOf = (options: AdaptListOptions, tool: ToolDefinition, index: number): string | undefined =>
  typeof options.prefix === 'function' ? options.prefix(tool, index) : options.prefix;

const needsNames = (tools: readonly ToolDefinition[], options: AdaptListOptions): boolean =>
  options.prefix !== undefined || new Set(tools.map(({ name }) => name)).size < tools.length;

/** The rules that the tool at this place follows. */
export type ProfileAt = (index: number) => ProfileId;

const adaptAll = (
  tools: readonly ToolDefinition[],
  profileAt: ProfileAt,
  options: AdaptListOptions,
  names: ReadonlyMap<string, string>,
): readonly Adaptation[] =>
  tools.map((tool, index) =>
    adaptTool(tool, profileAt(index), { server: options.server, name: names.get(String(index)) }),
  );

export const usableOf = (adapted: readonly Adaptation[]): readonly Adaptation[] =>
  adapted.filter(({ verdict }) => verdict !== 'rejected');

const hasCollisions = (adapted: readonly Adaptation[]): boolean => {
  const names = usableOf(adapted).map(({ definition }) => definition.name);
  return new Set(names).size < names.length;
};

/** Each tool by the rules at its place, with names of which no two are alike. */
export const adaptEach = (
  tools: readonly ToolDefinition[],
  profileAt: ProfileAt,
  options: AdaptListOptions,
): readonly Adaptation[] => {
  const parts = tools.map((tool, index) => ({
    key: String(index),
    tool: tool.name,
    server: prefixOf(options, tool, index),
  }));
  const first = adaptAll(tools, profileAt, options, needsNames(tools, options) ? assignNames(parts) : new Map());
  // names that were different before may be alike once they are legal
  return hasCollisions(first) ? adaptAll(tools, profileAt, options, assignNames(parts)) : first;
};

const overall = (adapted: readonly Adaptation[], findings: readonly ProfileFinding[]): Adaptation['verdict'] => {
  if (findings.some(({ level }) => level === 'error')) return 'rejected';
  if (adapted.some(({ verdict }) => verdict === 'rejected')) return 'rejected';
  return adapted.some(({ verdict }) => verdict === 'rewritten') ? 'rewritten' : 'ok';
};

/** What was adapted, and what is found in the list as a whole, as one answer. */
export const listAdaptation = (
  adapted: readonly Adaptation[],
  findings: readonly ProfileFinding[],
): ListAdaptation => ({
  verdict: overall(adapted, findings),
  tools: adapted,
  findings,
  byName: new Map(usableOf(adapted).map((tool) => [tool.definition.name, tool])),
});

/** Adapts every tool of a request and judges them together: counts, totals, names after prefixing. */
export const adaptList = (
  tools: readonly ToolDefinition[],
  profileId: ProfileId,
  options: AdaptListOptions = {},
): ListAdaptation => {
  const adapted = adaptEach(tools, () => profileId, options);
  const definitions = usableOf(adapted).map(({ definition }) => definition);
  return listAdaptation(adapted, checkList(definitions, PROFILES[profileId], options));
};
