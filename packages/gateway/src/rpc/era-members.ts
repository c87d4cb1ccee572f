import { type JsonObject, META_KEY } from '@plugboard/wire';
import { withMeta, withoutMembers } from './members.js';

/** Members of `_meta` that only requests and results of the modern era have. */
export const MODERN_META: ReadonlySet<string> = new Set(Object.values(META_KEY));
/** Members of modern params that a legacy server would not understand. */
const ROUND_MEMBERS: ReadonlySet<string> = new Set(['inputResponses', 'requestState']);
/** Members that only results of the modern era have. */
export const RESULT_MEMBERS: ReadonlySet<string> = new Set(['resultType', 'ttlMs', 'cacheScope']);

/** A modern client's params as a legacy server knows them. */
export const toLegacyParams = (params: JsonObject): JsonObject =>
  withMeta(withoutMembers(params, ROUND_MEMBERS), (meta) => withoutMembers(meta, MODERN_META));

/** Takes away what only modern results have. */
export const withoutModernEnvelope = (result: JsonObject): JsonObject =>
  withMeta(withoutMembers(result, RESULT_MEMBERS), (meta) => withoutMembers(meta, MODERN_META));

const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** What is not known to be fresh for longer, or to be for everybody, is neither. */
export const NOT_CACHEABLE: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/** Gives a result what every modern result has; members that it has already stay. */
export const withModernEnvelope = (
  method: string,
  result: JsonObject,
  envelope: { readonly serverInfo: JsonObject | undefined; readonly hint?: CacheHint },
): JsonObject => {
  const { serverInfo, hint = NOT_CACHEABLE } = envelope;
  return {
    resultType: 'complete',
    ...(CACHEABLE.has(method) ? hint : {}),
    ...withMeta(result, (meta) => (serverInfo === undefined ? meta : { [META_KEY.serverInfo]: serverInfo, ...meta })),
  };
};
