import { withCrew } from './crew.js';
import { skipped, type Scenario } from './ground.js';
import { measure } from './measure.js';

/** Below this, a multiple says more about the clock than about the server. */
const FLOOR_MS = 1;

/** Whether slow calls keep a fast one waiting. */
export const headOfLine: Scenario = async (ground) => {
  const { slowCall, plan } = ground;
  if (slowCall === undefined) return skipped('No slow tool is named: --slow name={"json":"arguments"}.');
  const ms = plan.stepSeconds * 1_000;
  return await withCrew(ground, 1, async ({ callers }) => {
    const alone = await measure(ground, callers, { scenario: 'head-of-line', name: 'alone', ms });
    const beside = await withCrew(
      ground,
      plan.concurrency,
      async (slow) => {
        const [fast] = await Promise.all([
          measure(ground, callers, { scenario: 'head-of-line', name: 'beside slow calls', ms }),
          measure(ground, slow.callers, { scenario: 'head-of-line', name: 'slow', ms, silent: true }),
        ]);
        return fast;
      },
      slowCall,
    );
    const ratio = beside.uncorrected.p95 / Math.max(FLOOR_MS, alone.uncorrected.p95);
    ground.metrics.set('head_of_line', { value: ratio });
    const summary = `p95 ${alone.uncorrected.p95.toFixed(2)} ms alone, ${beside.uncorrected.p95.toFixed(2)} ms beside ${plan.concurrency} slow calls`;
    return { summary, phases: [alone, beside] };
  });
};
