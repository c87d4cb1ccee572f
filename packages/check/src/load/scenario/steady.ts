import type { LoadPhase } from '@plugboard/contract';
import type { Caller } from '../generator/caller.js';
import { withCrew } from './crew.js';
import type { Ground, LoadCrew, Scenario } from './ground.js';
import { healthCall } from './health-call.js';
import { withLoadCrew } from './load-crew.js';
import { measure } from './measure.js';

const HEALTH_RATE = 10;

const note = ({ metrics }: Ground, phase: LoadPhase, health: LoadPhase): void => {
  metrics.latency('call_duration', phase.latency);
  metrics.failures('call_failed', phase);
  metrics.set('calls', { count: phase.calls, rate: phase.callsPerSecond });
  if (phase.firstEvent !== undefined) metrics.latency('first_event_duration', phase.firstEvent);
  metrics.latency('health_duration', health.latency);
  metrics.failures('health_failed', health);
};

const watched = async (ground: Ground, crew: LoadCrew, healthy: readonly Caller[]) => {
  const { rate, seconds, warmUpSeconds } = ground.plan;
  const phase = { scenario: 'steady', rate };
  if (warmUpSeconds > 0) await crew.measure({ ...phase, name: 'warm-up', ms: warmUpSeconds * 1_000 });
  ground.onSteady(true);
  const ms = seconds * 1_000;
  return await Promise.all([
    crew.measure({ ...phase, name: 'steady', ms }),
    measure(ground, healthy, { scenario: 'steady', name: 'health', ms, rate: HEALTH_RATE, silent: true }),
  ]);
};

/** The same load for a while, after a warm-up, with health requests beside it. */
export const steady: Scenario = async (ground) =>
  await withLoadCrew(ground, ground.plan.concurrency, async (crew) => {
    const { size, attempted } = crew;
    ground.metrics.set('connections', { rate: size / attempted, count: size });
    const [phase, health] = await withCrew(
      ground,
      1,
      ({ callers: healthy }) => watched(ground, crew, healthy),
      healthCall(ground.era),
    );
    ground.onSteady(false);
    note(ground, phase, health);
    const { uncorrected: latency, callsPerSecond, calls, failed } = phase;
    const share = calls === 0 ? 0 : ((calls - failed) / calls) * 100;
    const summary = `${callsPerSecond.toFixed(0)} calls/s, p50 ${latency.p50.toFixed(2)} ms, p99 ${latency.p99.toFixed(2)} ms, ${share.toFixed(2)} % succeeded`;
    return { summary, phases: [phase, health] };
  });
