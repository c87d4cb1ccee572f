import { openCrew, withCrew } from './crew.js';
import { skipped, type Scenario } from './ground.js';
import { healthCall } from './health-call.js';
import { holdStreams } from './hold-streams.js';
import { measure } from './measure.js';

const HEALTH_CALLS = 20;

/** Many connections that are held at once: who gets in, does it answer meanwhile, and afterwards. */
export const exhaustion: Scenario = async (ground) => {
  const { connections } = ground.plan;
  if (ground.shared !== undefined) return skipped('A program has one connection.');
  const ms = ground.deadlineMs;
  const health = healthCall(ground.era);
  const held = await openCrew(ground, connections);
  const phases = [];
  let served = 0;
  let listening = 0;
  try {
    listening = (await holdStreams(ground, held.conversations)).length;
    const each = await measure(ground, held.callers, {
      scenario: 'exhaustion',
      name: 'a call on every connection',
      ms,
      calls: held.callers.length,
    });
    served = each.calls - each.failed;
    const during = await withCrew(
      ground,
      1,
      ({ callers }) =>
        measure(ground, callers, { scenario: 'exhaustion', name: 'health meanwhile', ms, calls: HEALTH_CALLS }),
      health,
    );
    phases.push(each, during);
  } finally {
    await held.close();
  }
  const after = await withCrew(ground, 1, ({ callers }) =>
    measure(ground, callers, { scenario: 'exhaustion', name: 'afterwards', ms, calls: HEALTH_CALLS }),
  );
  const failedRate = 1 - served / connections;
  ground.metrics.set('exhaustion_failed', { rate: failedRate, count: connections - served });
  ground.metrics.failures('exhaustion_recovery_failed', after);
  ground.metrics.set('exhaustion_streams', { count: listening, rate: listening / connections });
  const summary = `${served} of ${connections} connections served while ${listening} streams were held, afterwards ${after.calls - after.failed} of ${after.calls} calls`;
  return { summary, phases: [...phases, after] };
};
