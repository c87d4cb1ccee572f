import type { ApiKey } from '@plugboard/contract';
import type { Tone } from '../ui/badge.js';

const DAY_MS = 86_400_000;

/** The time so many days from now; null for never. */
export const expiryIn = (days: string, now: number): string | null =>
  days === '' ? null : new Date(now + Number(days) * DAY_MS).toISOString();

export const keyState = (
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: number,
): { readonly tone: Tone; readonly word: string } => {
  if (revoked_at !== null) return { tone: 'quiet', word: 'Revoked' };
  if (expires_at !== null && Date.parse(expires_at) <= now) return { tone: 'quiet', word: 'Expired' };
  return { tone: 'good', word: 'Active' };
};
