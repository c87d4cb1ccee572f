import type { LoadPhase } from '@plugboard/contract';
import { withCrew } from './crew.js';
import { skipped, type Scenario } from './ground.js';
import { measure } from './measure.js';

const SMALLEST = 1_024;
const CALLS = 20;

/** Longer and longer arguments, ten times at each step. */
export const payload: Scenario = async (ground) => {
  const { call, plan } = ground;
  if (call.canaryIn === undefined) return skipped('The call has no argument that takes any text.');
  const phases: LoadPhase[] = [];
  const curve = [];
  for (let bytes = SMALLEST; bytes <= plan.maxPayloadBytes && !ground.signal.aborted; bytes *= 10) {
    const phase = await withCrew(
      ground,
      1,
      ({ callers }) =>
        measure(ground, callers, { scenario: 'payload', name: `${bytes} bytes`, ms: 30_000, calls: CALLS }),
      { ...call, padding: 'x'.repeat(bytes) },
    );
    phases.push(phase);
    curve.push({ x: bytes, latency: phase.uncorrected, failed: phase.failed });
    if (phase.failed === phase.calls) break;
  }
  const last = curve.at(-1);
  const summary =
    last === undefined
      ? 'nothing was sent'
      : `${last.x} bytes: p50 ${last.latency.p50.toFixed(2)} ms, ${last.failed} failed`;
  return { summary, phases, curve };
};
