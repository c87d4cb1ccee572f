import { SlowWatch } from '@plugboard/client';

/** One watch for each length of time, so that nothing that is watched costs a timer of its own. */
export const sharedWatches = (tickMs?: number): ((limitMs: number) => SlowWatch) => {
  const known = new Map<number, SlowWatch>();
  return (limitMs) => {
    const watch = known.get(limitMs) ?? new SlowWatch(limitMs, tickMs);
    known.set(limitMs, watch);
    return watch;
  };
};
