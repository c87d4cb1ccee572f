import type { PlacesAsk, RateAsk } from '@plugboard/contract';

const MS_PER_MINUTE = 60_000;

/** The tokens of a limit that are left for all processes. */
export interface Bucket {
  readonly level: number;
  readonly filledAt: number;
}

/** Fills the bucket for the time that passed, charges what was taken without asking, and hands out what is there. */
export const lendTokens = (
  bucket: Bucket | undefined,
  now: number,
  { perMinute, burst, charge, want }: RateAsk,
): { readonly tokens: number; readonly level: number } => {
  // The clock of a database that was failed over may be behind.
  const passedMs = bucket === undefined ? 0 : Math.max(0, now - bucket.filledAt);
  const filled = Math.min(burst, (bucket?.level ?? burst) + (passedMs / MS_PER_MINUTE) * perMinute);
  const left = Math.min(burst, filled - charge);
  const tokens = Math.max(0, Math.min(Math.floor(want), Math.floor(left)));
  return { tokens, level: left - tokens };
};

/** How many places a process gets, and how many it then has: what already runs counts as well. */
export const lendPlaces = (
  heldByOthers: number,
  { limit, running, want }: PlacesAsk,
): { readonly granted: number; readonly held: number } => {
  const granted = Math.max(0, Math.min(want, limit - heldByOthers));
  return { granted, held: Math.max(granted, running) };
};
