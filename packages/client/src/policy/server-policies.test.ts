import { describe, expect, it } from 'vitest';
import { createServerPolicies } from './server-policies.js';
import { deferred } from '../deadline/deferred.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from './test-support/fake-clock.js';

const random = () => 0;

describe('the policies of a server', () => {
  it('retry, trip and then answer at once, without touching the server', async () => {
    const clock = createFakeClock();
    const { policy, breaker } = createServerPolicies({
      clock,
      random,
      breaker: { minimumCalls: 3 },
      retry: { maxRetries: 2 },
    });
    let reached = 0;
    const refused = () => {
      reached += 1;
      return failing('UPSTREAM_REFUSED')();
    };
    const first = errorOf(policy(callContext(), refused));
    await clock.advance(0);
    expect((await first).code).toBe('UPSTREAM_REFUSED');
    expect(reached).toBe(3);
    expect(breaker.state().status).toBe('open');
    expect((await errorOf(policy(callContext(), refused))).code).toBe('CIRCUIT_OPEN');
    expect(reached).toBe(3);
  });

  it('leave other servers alone', async () => {
    const clock = createFakeClock();
    const ill = createServerPolicies({ clock, breaker: { minimumCalls: 1 }, retry: { maxRetries: 0 } });
    const well = createServerPolicies({ clock });
    await errorOf(ill.policy(callContext(), failing('UPSTREAM_REFUSED')));
    expect(ill.breaker.state().status).toBe('open');
    expect(await well.policy(callContext(), () => Promise.resolve('ok'))).toBe('ok');
  });

  it('end the whole call at the total deadline, however many attempts fit', async () => {
    const clock = createFakeClock();
    const { policy } = createServerPolicies({
      clock,
      random,
      totalMs: 250,
      deadline: { requestMs: 100 },
      retry: { maxRetries: 9 },
    });
    const error = errorOf(policy(callContext({ idempotent: true }), () => new Promise(() => undefined)));
    await clock.advance(250);
    expect(await error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', details: { timeout_ms: 250 } });
    expect(clock.pending()).toBe(0);
  });

  it('refuse at once what our own limits refuse', async () => {
    const clock = createFakeClock();
    const { policy, bulkhead } = createServerPolicies({
      clock,
      bulkhead: { maxConcurrent: 1, maxQueued: 0 },
      rateLimit: { perSecond: 1, burst: 2 },
    });
    const gate = deferred<string>();
    const running = policy(callContext(), () => gate.promise);
    expect(bulkhead.state().running).toBe(1);
    expect((await errorOf(policy(callContext(), () => Promise.resolve()))).message).toContain('busy');
    expect((await errorOf(policy(callContext(), () => Promise.resolve()))).message).toContain(
      'more calls than allowed',
    );
    gate.resolve('ok');
    expect(await running).toBe('ok');
    expect(clock.pending()).toBe(0);
  });
});
