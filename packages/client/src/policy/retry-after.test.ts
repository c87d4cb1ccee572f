import { describe, expect, it } from 'vitest';
import { clientError } from '../error/to-client-error.js';
import { HeldPlace } from './call-gate.js';
import { requestedPause } from './retry-after.js';
import { callPolicy } from '../call/call-policy.js';
import { createServerPolicies } from './server-policies.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';

describe('requestedPause', () => {
  it('keeps everybody away until the pause is over', async () => {
    const clock = createFakeClock();
    const policy = requestedPause({ clock }).policy;
    await errorOf(policy(callContext(), failing('RATE_LIMITED', { retryAfterMs: 500 })));
    await clock.advance(200);
    let reached = 0;
    const next = () => Promise.resolve((reached += 1));
    expect(await errorOf(policy(callContext(), next))).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 300 });
    expect(reached).toBe(0);
    await clock.advance(300);
    await policy(callContext(), next);
    expect(reached).toBe(1);
  });

  it('does not mind other errors', async () => {
    const policy = requestedPause({ clock: createFakeClock() }).policy;
    await errorOf(policy(callContext(), failing('RATE_LIMITED')));
    await errorOf(policy(callContext(), failing('UPSTREAM_CLOSED', { retryAfterMs: 500 })));
    expect(await policy(callContext(), () => Promise.resolve('ok'))).toBe('ok');
  });
});

describe('the pause among the policies of a server', () => {
  const limited = (retryAfterMs: number) => clientError('RATE_LIMITED', 'slow down', { retryAfterMs });
  const setUp = () => {
    const clock = createFakeClock();
    const policies = createServerPolicies({ clock });
    return { clock, policy: callPolicy(policies, { maxRetries: 1, clock, random: () => 0 }) };
  };

  it('does not refuse the retry of a call that was told the pause, whoever else was told a later end', async () => {
    const { clock, policy } = setUp();
    const script = [limited(1_000), limited(1_000)];
    const next = async () => {
      const error = script.shift();
      if (error !== undefined) throw error;
      return 'ok';
    };
    const first = policy(callContext(), next);
    await clock.advance(0);
    const late = policy(callContext({ place: new HeldPlace(), attempt: 1 }), next);
    await clock.advance(2_000);
    expect(await Promise.all([first, late])).toEqual(['ok', 'ok']);
    expect(clock.pending()).toBe(0);
  });

  it('keeps callers waiting as long as they can wait, tells them, and refuses the others at once', async () => {
    const { clock, policy } = setUp();
    await errorOf(policy(callContext({ patienceMs: 1_000 }), () => Promise.reject(limited(12_000))));
    const told: number[] = [];
    const patient = policy(callContext({ patienceMs: 60_000, onWait: (left) => told.push(left) }), async () => 'ok');
    const refused = await errorOf(policy(callContext({ patienceMs: 10_000 }), async () => 'ok'));
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 12_000, delivery: 'not-executed' });
    await clock.advance(12_000);
    expect(await patient).toBe('ok');
    expect(told).toEqual([12_000, 7_000, 2_000]);
  });

  it('says nothing of a pause while it only waits before a retry', async () => {
    const { clock, policy } = setUp();
    const told: number[] = [];
    let tries = 0;
    const next = async () => {
      tries += 1;
      if (tries === 1) throw clientError('UPSTREAM_REFUSED', 'nobody listens');
      return 'ok';
    };
    const done = policy(callContext({ onWait: (left) => told.push(left) }), next);
    await clock.advance(1_000);
    expect(await done).toBe('ok');
    expect(told).toEqual([]);
  });
});
