import type { ToolDefinition } from '@plugboard/contract';
import { checkList, isAccepted } from '../profile/check-against-profile.js';
import { PROFILES, type ProfileId } from '../profile/registry.js';
import { adaptEach, type AdaptListOptions, listAdaptation, type ListAdaptation, usableOf } from './adapt-list.js';
import { type Adaptation, type AdaptOptions, adaptTool } from './adapt-tool.js';

/** The same provider without the guarantee of strict tools. Both kinds of tools go together into one request. */
const RELAXED: Partial<Readonly<Record<ProfileId, ProfileId>>> = {
  'anthropic-strict': 'anthropic',
  'openai-strict': 'openai',
};

const LIST_TOTALS: ReadonlySet<string> = new Set(['tool-count', 'optional-total', 'union-total']);

/** Do the provider's rules limit what the strict tools of a request have together? */
const hasTotals = (strict: ProfileId, relaxed: ProfileId): boolean => {
  const totals = (id: ProfileId): number => PROFILES[id].rules.filter(({ check }) => LIST_TOTALS.has(check)).length;
  return totals(strict) > totals(relaxed);
};

/** The places of the tools that strict rules can hold, in the order of the list, as long as they are accepted together. */
const strictPlaces = (adapted: readonly Adaptation[], strict: ProfileId, relaxed: ProfileId): ReadonlySet<number> => {
  const fits = (definitions: readonly ToolDefinition[]): boolean =>
    isAccepted(checkList(definitions, PROFILES[strict]));
  const places = [...adapted.entries()].filter(([, { verdict }]) => verdict !== 'rejected');
  if (!hasTotals(strict, relaxed) || fits(places.map(([, { definition }]) => definition))) {
    return new Set(places.map(([at]) => at));
  }
  const kept = new Map<number, ToolDefinition>();
  for (const [at, { definition }] of places) {
    if (fits([...kept.values(), definition])) kept.set(at, definition);
  }
  return new Set(kept.keys());
};

/**
 * Adapts the tools of a request so that a strict provider accepts as many as possible: tools that its strict rules cannot
 * hold, alone or together, follow its other rules. `plan.profile` says which rules a tool follows.
 */
export const fitList = (
  tools: readonly ToolDefinition[],
  profileId: ProfileId,
  options: AdaptListOptions = {},
): ListAdaptation => {
  const relaxed = RELAXED[profileId];
  const asStrict = adaptEach(tools, () => profileId, options);
  const strict = relaxed === undefined ? undefined : strictPlaces(asStrict, profileId, relaxed);
  const isStrict = (at: number): boolean => strict?.has(at) ?? true;
  const adapted =
    relaxed === undefined || asStrict.every((_tool, at) => isStrict(at))
      ? asStrict
      : adaptEach(tools, (at) => (isStrict(at) ? profileId : relaxed), options);
  const definitions = usableOf(adapted).map(({ definition }) => definition);
  return listAdaptation(adapted, checkList(definitions, PROFILES[relaxed ?? profileId], options));
};

/**
 * Adapts a tool that has changed since its list was adapted. What is left of the totals of the list is unknown, so rules
 * with totals give way to those without.
 */
export const refitTool = (tool: ToolDefinition, profileId: ProfileId, options: AdaptOptions = {}): Adaptation => {
  const relaxed = RELAXED[profileId];
  if (relaxed === undefined) return adaptTool(tool, profileId, options);
  const adapted = hasTotals(profileId, relaxed) ? undefined : adaptTool(tool, profileId, options);
  return adapted === undefined || adapted.verdict === 'rejected' ? adaptTool(tool, relaxed, options) : adapted;
};
