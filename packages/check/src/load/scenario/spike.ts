import type { LoadPhase } from '@plugboard/contract';
import type { Caller } from '../generator/caller.js';
import { withCrew } from './crew.js';
import type { Ground, Scenario } from './ground.js';
import { withLoadCrew } from './load-crew.js';
import { measure } from './measure.js';

const TIMES = 10;
const LONGEST_RECOVERY_MS = 30_000;
const LOOK_MS = 500;
/** Faster than this is as good as before. */
const FLOOR_MS = 5;

const isAsBefore = (now: LoadPhase, before: LoadPhase): boolean =>
  now.calls > 0 && now.failed === 0 && now.uncorrected.p95 <= Math.max(FLOOR_MS, 2 * before.uncorrected.p95);

const recover = async (ground: Ground, callers: readonly Caller[], before: LoadPhase) => {
  const startedAt = performance.now();
  for (;;) {
    const elapsed = performance.now() - startedAt;
    const look = await measure(ground, callers, { scenario: 'spike', name: 'after', ms: LOOK_MS });
    if (isAsBefore(look, before)) return { recoveryMs: elapsed, look };
    if (elapsed > LONGEST_RECOVERY_MS || ground.signal.aborted) return { recoveryMs: undefined, look };
  }
};

/** Ten times as many callers for a moment, and how long it takes until everything is as before. */
export const spike: Scenario = async (ground) => {
  const { concurrency, maxConcurrency, stepSeconds } = ground.plan;
  const ms = stepSeconds * 1_000;
  return await withCrew(ground, concurrency, async ({ callers }) => {
    const before = await measure(ground, callers, { scenario: 'spike', name: 'before', ms });
    const many = Math.max(concurrency, Math.min(concurrency * TIMES, maxConcurrency));
    const during = await withLoadCrew(ground, many, (crew) => crew.measure({ scenario: 'spike', name: 'spike', ms }));
    const { recoveryMs, look } = await recover(ground, callers, before);
    ground.metrics.set('recovery', { value: recoveryMs ?? Number.POSITIVE_INFINITY });
    ground.metrics.failures('spike_failed', during);
    const summary =
      recoveryMs === undefined
        ? `not recovered within ${LONGEST_RECOVERY_MS / 1_000} s`
        : `recovered after ${recoveryMs.toFixed(0)} ms`;
    return { summary: `${many} callers at once: ${summary}`, phases: [before, during, look] };
  });
};
