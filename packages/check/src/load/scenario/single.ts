import { healthCall } from './health-call.js';
import { withCrew } from './crew.js';
import type { Scenario } from './ground.js';
import { measure } from './measure.js';

const CALLS = 100;
const WARM_UP = 10;
const MOST_MS = 60_000;

/** One caller, a hundred calls, one after the other: what a call costs when nobody else is there. */
export const single: Scenario = async (ground) => {
  const benchmark = async (name: string, call = ground.call) =>
    await withCrew(
      ground,
      1,
      async ({ callers }) => {
        const phase = { scenario: 'single', name, ms: MOST_MS };
        await measure(ground, callers, { ...phase, calls: WARM_UP, silent: true });
        return await measure(ground, callers, { ...phase, calls: CALLS });
      },
      call,
    );
  const calls = await benchmark('one call at a time');
  const health = await benchmark('one health request at a time', healthCall(ground.era));
  ground.metrics.latency('single_call_duration', calls.uncorrected);
  ground.metrics.latency('single_health_duration', health.uncorrected);
  const { mean, p50, sd } = calls.uncorrected;
  const summary = `mean ${mean.toFixed(2)} ms, median ${p50.toFixed(2)} ms, standard deviation ${sd.toFixed(2)} ms`;
  return { summary, phases: [calls, health] };
};
