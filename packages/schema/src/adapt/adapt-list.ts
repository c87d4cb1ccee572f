import type { ToolDefinition } from '@plugboard/contract';
import { assignNames } from '../name/assign-names.js';
import { checkList, type CheckOptions } from '../profile/check-against-profile.js';
import type { ProfileFinding } from '../profile/finding.js';
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

const adaptAll = (
  tools: readonly ToolDefinition[],
  profileId: ProfileId,
  options: AdaptListOptions,
  names: ReadonlyMap<string, string>,
): readonly Adaptation[] =>
  tools.map((tool, index) => adaptTool(tool, profileId, { server: options.server, name: names.get(String(index)) }));

const hasCollisions = (adapted: readonly Adaptation[]): boolean => {
  const names = adapted.filter(({ verdict }) => verdict !== 'rejected').map(({ definition }) => definition.name);
  return new Set(names).size < names.length;
};

const overall = (adapted: readonly Adaptation[], findings: readonly ProfileFinding[]): Adaptation['verdict'] => {
  if (findings.some(({ level }) => level === 'error')) return 'rejected';
  if (adapted.some(({ verdict }) => verdict === 'rejected')) return 'rejected';
  return adapted.some(({ verdict }) => verdict === 'rewritten') ? 'rewritten' : 'ok';
};

/** Adapts every tool of a request and judges them together: counts, totals, names after prefixing. */
export const adaptList = (
  tools: readonly ToolDefinition[],
  profileId: ProfileId,
  options: AdaptListOptions = {},
): ListAdaptation => {
  const parts = tools.map((tool, index) => ({
    key: String(index),
    tool: tool.name,
    server: prefixOf(options, tool, index),
  }));
  const first = adaptAll(tools, profileId, options, needsNames(tools, options) ? assignNames(parts) : new Map());
  // names that were different before may be alike once they are legal
  const adapted = hasCollisions(first) ? adaptAll(tools, profileId, options, assignNames(parts)) : first;
  const usable = adapted.filter(({ verdict }) => verdict !== 'rejected');
  const findings = checkList(
    usable.map(({ definition }) => definition),
    PROFILES[profileId],
    options,
  );
  return {
    verdict: overall(adapted, findings),
    tools: adapted,
    findings,
    byName: new Map(usable.map((tool) => [tool.definition.name, tool])),
  };
};
