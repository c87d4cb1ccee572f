import type { LoadPhase } from '@plugboard/contract';
import type { Scenario } from './ground.js';
import { withLoadCrew } from './load-crew.js';

const SLOWER = 5;
const MAX_ERRORS = 0.01;
/** Below this, a multiple of the first p99 says more about the clock than about the server. */
const FLOOR_MS = 10;

type Step = Pick<LoadPhase, 'calls' | 'failed' | 'uncorrected'>;

/** Whether a step is past the breaking point, measured by the best one before: the first may have met a stall of the machine. */
export const isBroken = ({ calls, failed, uncorrected }: Step, before: readonly Step[]): boolean => {
  const best = Math.min(...before.map((step) => step.uncorrected.p99));
  const isSlow = before.length > 0 && uncorrected.p99 > SLOWER * Math.max(FLOOR_MS, best);
  return isSlow || failed > calls * MAX_ERRORS;
};

/** Twice as many callers at each step, until the server breaks or the limit is reached. */
export const ramp: Scenario = async (ground) => {
  const { stepSeconds, maxConcurrency } = ground.plan;
  const steps: LoadPhase[] = [];
  let broken: LoadPhase | undefined;
  for (let callers = 1; callers <= maxConcurrency && broken === undefined && !ground.signal.aborted; callers *= 2) {
    const step = await withLoadCrew(ground, callers, (crew) =>
      crew.measure({
        scenario: 'ramp',
        name: callers === 1 ? '1 caller' : `${callers} callers`,
        ms: stepSeconds * 1_000,
      }),
    );
    if (isBroken(step, steps)) broken = step;
    steps.push(step);
  }
  const good = steps.filter((step) => step !== broken);
  const capacity = Math.max(0, ...good.map(({ callsPerSecond }) => callsPerSecond));
  ground.metrics.set('capacity', { value: capacity });
  const at =
    broken === undefined
      ? `not broken with ${steps.at(-1)?.concurrency ?? 0} callers`
      : `breaks with ${broken.concurrency} callers`;
  return {
    summary: `${capacity.toFixed(0)} calls/s at most, ${at}`,
    phases: steps,
    curve: steps.map(({ concurrency, uncorrected, failed }) => ({ x: concurrency, latency: uncorrected, failed })),
  };
};
