import { isJsonObject } from '@plugboard/base';
import type { ProfileId } from '../profile/registry.js';
import type { Problem } from '../validate/problem.js';
import { validateArguments } from '../validate/validate.js';
import { mapValue } from './map-value.js';
import type { Mapping } from './mapping/mapping.js';

/** How to map arguments of an adapted tool back: plain data, to be kept beside the adapted definition. */
export interface RestorePlan {
  readonly profile: ProfileId;
  /** The name that the server knows. */
  readonly tool: string;
  /** The name that the model sees. */
  readonly adaptedName: string;
  /** The original input schema, which judges what comes back. */
  readonly schema: unknown;
  readonly mapping: Mapping | null;
}

/** Arguments as the server wants them, or what is wrong with them. */
export type RestoredArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>>; readonly unchecked?: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const notAnObject: RestoredArguments = {
  ok: false,
  problems: [{ pointer: '', message: 'The arguments of a tool must be an object.', keyword: 'type' }],
};

/** Maps what a model produced for the adapted schema back, and lets it through only if the original takes it. */
export const restoreArguments = (plan: RestorePlan, args: unknown): RestoredArguments => {
  const given = args ?? {};
  const restored = plan.mapping === null ? given : mapValue(plan.mapping, given, 'restore');
  if (!isJsonObject(restored)) return notAnObject;
  const verdict = validateArguments(plan.schema ?? true, restored);
  if (!verdict.ok) return verdict;
  return verdict.unchecked === undefined
    ? { ok: true, args: restored }
    : { ok: true, args: restored, unchecked: verdict.unchecked };
};

/** Arguments of the original as the adapted schema writes them, for examples and for replaying a conversation. */
export const adaptArguments = (plan: RestorePlan, args: unknown): unknown =>
  plan.mapping === null ? (args ?? {}) : mapValue(plan.mapping, args ?? {}, 'forward');
