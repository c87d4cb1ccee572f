import type { LoadPhase } from '@plugboard/contract';
import type { Caller } from '../generator/caller.js';
import { closedLoop } from '../generator/closed-loop.js';
import { openLoop } from '../generator/open-loop.js';
import { Tally, type PhaseShape } from '../generator/tally.js';
import type { Ground } from './ground.js';

export interface Measurement {
  readonly scenario: string;
  readonly name: string;
  readonly ms: number;
  /** Calls per second; a closed loop when absent. */
  readonly rate?: number | undefined;
  /** At most so many calls. */
  readonly calls?: number | undefined;
  /** Nobody watches: it is a part of something else. */
  readonly silent?: boolean | undefined;
}

/** The part of a tally that is shown while it is filled. */
export type Moment = Pick<Tally, 'calls' | 'failed' | 'errors'> & {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

const TICK_MS = 250;
const SLICES = 60;

export const shapeOf = ({ name, ms, rate }: Measurement, concurrency: number): PhaseShape => ({
  name,
  loop: rate === undefined ? 'closed' : 'open',
  concurrency,
  rate,
  sliceMs: Math.max(TICK_MS, ms / SLICES),
});

export const momentOf = (tally: Tally): Moment => ({
  calls: tally.calls,
  failed: tally.failed,
  errors: tally.errors,
  p50: tally.percentile(50),
  p95: tally.percentile(95),
  p99: tally.percentile(99),
});

/** Lets callers call for a while. */
export const fillTally = async (
  { signal, deadlineMs }: Pick<Ground, 'signal' | 'deadlineMs'>,
  callers: readonly Caller[],
  { ms, rate, calls }: Measurement,
  tally: Tally,
): Promise<void> => {
  const limits = { ms, signal, ...(calls === undefined ? {} : { calls }) };
  if (rate === undefined) await closedLoop(callers, tally, limits);
  else await openLoop(callers, tally, { ...limits, rate, drainMs: deadlineMs });
};

/** Tells those who watch how a phase goes, four times a second, and once more at its end. */
export const whileTelling = async <T>(
  ground: Ground,
  { scenario, name, ms, silent = false }: Measurement,
  { callers, moment }: { readonly callers: number; readonly moment: () => Moment },
  work: () => Promise<T>,
): Promise<T> => {
  if (silent) return await work();
  const startedAt = performance.now();
  const tell = (): void => {
    const elapsedMs = performance.now() - startedAt;
    const now = moment();
    const callsPerSecond = elapsedMs === 0 ? 0 : (now.calls / elapsedMs) * 1_000;
    const violations = ground.violations.total;
    ground.onProgress({ scenario, phase: name, elapsedMs, totalMs: ms, callers, callsPerSecond, violations, ...now });
  };
  const timer = setInterval(tell, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    tell();
  }
};

/** Lets callers call for a while, and says what came of it. */
export const measure = async (
  ground: Ground,
  callers: readonly Caller[],
  measurement: Measurement,
): Promise<LoadPhase> => {
  const tally = new Tally(shapeOf(measurement, callers.length), performance.now());
  const watched = { callers: callers.length, moment: () => momentOf(tally) };
  await whileTelling(ground, measurement, watched, () => fillTally(ground, callers, measurement, tally));
  const phase = tally.phase(performance.now());
  if (measurement.silent !== true) ground.onPhase(phase);
  return phase;
};
