import { backoffCeilingMs, type Random } from '@plugboard/client';
import type { ModelError } from '../error/model-error.js';

/** How long to wait before the n-th retry: a random time below the ceiling, and never less than the provider asked for. */
export const retryWaitMs = ({ retryAfterMs }: ModelError, retry: number, random: Random): number =>
  Math.max(retryAfterMs ?? 0, random() * backoffCeilingMs(retry));
