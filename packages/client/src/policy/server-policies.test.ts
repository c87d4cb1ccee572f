import { deferred } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { callPolicy } from '../call/call-policy.js';
import { createServerPolicies } from './server-policies.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';

const refused = failing('UPSTREAM_REFUSED');

describe('the policies of a server', () => {
  it('count calls that failed in the end, then refuse at once without touching the server', async () => {
    const clock = createFakeClock();
    const policies = createServerPolicies({ clock, breaker: { minimumCalls: 2 } });
    const policy = callPolicy(policies, { maxRetries: 1, clock, random: () => 0 });
    let reached = 0;
    const next = (fails: boolean) => () => {
      reached += 1;
      return fails ? refused() : Promise.resolve('ok');
    };
    const cured = policy(callContext(), ({ attempt }) => next(attempt === 1)());
    await clock.advance(0);
    expect(await cured).toBe('ok');
    expect(policies.breaker.state()).toEqual({ status: 'closed', calls: 1, failures: 0 });
    const lost = errorOf(policy(callContext(), next(true)));
    await clock.advance(0);
    expect((await lost).code).toBe('UPSTREAM_REFUSED');
    expect([reached, policies.breaker.state().status]).toEqual([4, 'open']);
    expect((await errorOf(policy(callContext(), next(true)))).code).toBe('CIRCUIT_OPEN');
    expect(reached).toBe(4);
  });

  it('do not retry once the circuit has opened', async () => {
    const clock = createFakeClock();
    const policies = createServerPolicies({ clock, breaker: { minimumCalls: 1 } });
    const policy = callPolicy(policies, { maxRetries: 1, clock, random: () => 0.5 });
    const waiting = errorOf(policy(callContext(), refused));
    await clock.advance(0);
    await errorOf(policies.call(callContext(), refused));
    await clock.advance(500);
    expect(await waiting).toMatchObject({ code: 'CIRCUIT_OPEN', attempts: [{ code: 'UPSTREAM_REFUSED' }, {}] });
  });

  it('leave other servers alone', async () => {
    const clock = createFakeClock();
    const ill = createServerPolicies({ clock, breaker: { minimumCalls: 1 } });
    const well = createServerPolicies({ clock });
    await errorOf(ill.call(callContext(), refused));
    expect(ill.breaker.state().status).toBe('open');
    expect(await well.call(callContext(), () => Promise.resolve('ok'))).toBe('ok');
  });

  it('end the whole call at the total deadline, with the waits between its attempts', async () => {
    const clock = createFakeClock();
    const policies = createServerPolicies({ clock, totalMs: 250 });
    const policy = callPolicy(policies, { maxRetries: 9, clock, random: () => 0.1 });
    const error = errorOf(policy(callContext({ idempotent: true }), refused));
    await clock.advance(250);
    expect(await error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', details: { timeout_ms: 250 } });
    expect(clock.pending()).toBe(0);
  });

  it('refuse at once what our own limits refuse', async () => {
    const clock = createFakeClock();
    const {
      attempt: policy,
      bulkhead,
      gate: fastPath,
    } = createServerPolicies({
      clock,
      bulkhead: { maxConcurrent: 1, maxQueued: 0 },
      rateLimit: { perSecond: 1, burst: 2 },
    });
    const gate = deferred<string>();
    const running = policy(callContext(), () => gate.promise);
    expect([bulkhead.state().running, fastPath]).toEqual([1, undefined]);
    expect((await errorOf(policy(callContext(), () => Promise.resolve()))).message).toContain('busy');
    expect((await errorOf(policy(callContext(), () => Promise.resolve()))).message).toContain('rate limit');
    gate.resolve('ok');
    expect(await running).toBe('ok');
    expect(clock.pending()).toBe(0);
  });
});
