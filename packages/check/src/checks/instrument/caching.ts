import { at, show } from '../../connection/json.js';
import type { Answer } from '../../session/answer.js';

/** What is wrong with the caching hints of a complete result. */
export const hintFlaws = ({ result }: Pick<Answer, 'result'>): readonly string[] => {
  if (result === undefined || (at(result, 'resultType') ?? 'complete') !== 'complete') return [];
  const ttl = at(result, 'ttlMs');
  const scope = at(result, 'cacheScope');
  return [
    ...(typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 0 ? [] : [`ttlMs is ${show(ttl)}.`]),
    ...(scope === 'public' || scope === 'private' ? [] : [`cacheScope is ${show(scope)}.`]),
  ];
};

export const HINTS = 'ttlMs: an integer of 0 or more; cacheScope: "public" or "private"';
