import type { LoadPhase } from '@plugboard/contract';
import type { Caller } from '../generator/caller.js';
import { closedLoop } from '../generator/closed-loop.js';
import { openLoop } from '../generator/open-loop.js';
import { Tally } from '../generator/tally.js';
import type { Ground } from './ground.js';

export interface Measurement {
  readonly scenario: string;
  readonly name: string;
  readonly ms: number;
  /** Calls per second; a closed loop when absent. */
  readonly rate?: number | undefined;
  /** At most so many calls. */
  readonly calls?: number;
  /** Nobody watches: it is a part of something else. */
  readonly silent?: boolean;
}

const TICK_MS = 250;
const SLICES = 60;

/** Lets callers call for a while, and says what came of it. */
export const measure = async (
  ground: Ground,
  callers: readonly Caller[],
  { scenario, name, ms, rate, calls, silent = false }: Measurement,
): Promise<LoadPhase> => {
  const startedAt = performance.now();
  const sliceMs = Math.max(TICK_MS, ms / SLICES);
  const loop = rate === undefined ? 'closed' : 'open';
  const tally = new Tally({ name, loop, concurrency: callers.length, rate, sliceMs }, startedAt);
  const tell = (): void => {
    const elapsedMs = performance.now() - startedAt;
    ground.onProgress({
      scenario,
      phase: name,
      elapsedMs,
      totalMs: ms,
      callers: callers.length,
      calls: tally.calls,
      failed: tally.failed,
      callsPerSecond: elapsedMs === 0 ? 0 : (tally.calls / elapsedMs) * 1_000,
      p50: tally.percentile(50),
      p95: tally.percentile(95),
      p99: tally.percentile(99),
      errors: tally.errors,
      violations: ground.violations.total,
    });
  };
  const timer = silent ? undefined : setInterval(tell, TICK_MS);
  try {
    const limits = { ms, signal: ground.signal, ...(calls === undefined ? {} : { calls }) };
    if (rate === undefined) await closedLoop(callers, tally, limits);
    else await openLoop(callers, tally, { ...limits, rate, drainMs: ground.deadlineMs });
  } finally {
    clearInterval(timer);
  }
  const phase = tally.phase(performance.now());
  if (!silent) {
    tell();
    ground.onPhase(phase);
  }
  return phase;
};
