import { deferred } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { createCircuitBreaker, type CircuitState } from './circuit-breaker.js';
import { notSent, refusedByUs } from '../error/own-refusal.js';
import { clientError } from '../error/to-client-error.js';
import { HeldPlace } from './call-gate.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';

const setUp = () => {
  const clock = createFakeClock();
  const breaker = createCircuitBreaker({
    windowMs: 1_000,
    minimumCalls: 2,
    failureRatio: 0.5,
    openMs: 100,
    maxOpenMs: 300,
    clock,
  });
  const changes: CircuitState['status'][] = [];
  const unsubscribe = breaker.onChange((state) => changes.push(state.status));
  const call = (next: () => Promise<unknown> = () => Promise.resolve('ok')) => breaker.policy(callContext(), next);
  const break_ = async () => {
    for (let count = 0; count < 2; count += 1) await errorOf(call(failing('UPSTREAM_REFUSED')));
  };
  return { clock, breaker, changes, unsubscribe, call, break_ };
};

describe('the circuit breaker', () => {
  it('opens, half-opens and closes, and tells its listeners', async () => {
    const { clock, breaker, changes, unsubscribe, call, break_ } = setUp();
    expect(breaker.state()).toEqual({ status: 'closed', calls: 0, failures: 0 });
    await break_();
    expect(breaker.state()).toEqual({ status: 'open', retryAfterMs: 100, lastFailure: 'UPSTREAM_REFUSED' });
    await clock.advance(100);
    expect(breaker.state()).toEqual({ status: 'half-open', probing: false });
    expect(await call()).toBe('ok');
    expect(breaker.state()).toEqual({ status: 'closed', calls: 0, failures: 0 });
    expect(changes).toEqual(['open', 'half-open', 'closed']);
    unsubscribe();
    await break_();
    expect(changes).toHaveLength(3);
  });

  it('refuses at once while open, without touching the server', async () => {
    const { clock, call, break_ } = setUp();
    await break_();
    await clock.advance(40);
    let touched = false;
    const error = await errorOf(
      call(() => {
        touched = true;
        return Promise.resolve();
      }),
    );
    expect(error).toMatchObject({
      code: 'CIRCUIT_OPEN',
      retryAfterMs: 60,
      details: { last_failure: 'UPSTREAM_REFUSED' },
    });
    expect(touched).toBe(false);
  });

  it('lets exactly one call probe', async () => {
    const { clock, breaker, call, break_ } = setUp();
    await break_();
    await clock.advance(100);
    const gate = deferred<string>();
    const probe = call(() => gate.promise);
    expect(breaker.state()).toEqual({ status: 'half-open', probing: true });
    expect((await errorOf(call())).code).toBe('CIRCUIT_OPEN');
    gate.resolve('well');
    expect(await probe).toBe('well');
    expect(await call()).toBe('ok');
  });

  it('waits twice as long after each probe that fails, up to the limit', async () => {
    const { clock, breaker, call, break_ } = setUp();
    await break_();
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const state = breaker.state();
      waits.push(state.status === 'open' ? state.retryAfterMs : 0);
      await clock.advance(waits.at(-1) ?? 0);
      await errorOf(call(failing('UPSTREAM_CLOSED')));
    }
    expect(waits).toEqual([100, 200, 300]);
  });

  it('learns nothing from a probe that was cancelled, and takes a refusal of the arguments for a sign of life', async () => {
    const { clock, breaker, call, break_ } = setUp();
    await break_();
    await clock.advance(100);
    await errorOf(call(failing('CANCELLED')));
    expect(breaker.state()).toEqual({ status: 'half-open', probing: false });
    await errorOf(call(failing('INVALID_ARGUMENT')));
    expect(breaker.state().status).toBe('closed');
  });

  it('does not count what is the fault of the caller', async () => {
    const { breaker, call } = setUp();
    for (const code of ['INVALID_ARGUMENT', 'CANCELLED', 'UPSTREAM_AUTH', 'RATE_LIMITED'] as const) {
      await errorOf(call(failing(code)));
    }
    expect(breaker.state()).toEqual({ status: 'closed', calls: 3, failures: 0 });
  });

  it('forgets failures that lie outside the window', async () => {
    const { clock, breaker, call } = setUp();
    await errorOf(call(failing('UPSTREAM_REFUSED')));
    await clock.advance(1_100);
    await errorOf(call(failing('UPSTREAM_REFUSED')));
    expect(breaker.state()).toEqual({ status: 'closed', calls: 1, failures: 1 });
  });

  it('ignores the end of calls that began before it opened', async () => {
    const { clock, breaker, call, break_ } = setUp();
    const gate = deferred<string>();
    const old = call(() => gate.promise);
    await break_();
    gate.resolve('late');
    expect(await old).toBe('late');
    expect(breaker.state().status).toBe('open');
    await clock.advance(100);
    expect(breaker.state()).toEqual({ status: 'half-open', probing: false });
  });

  it('counts a crash once, however many calls were under way, and each crash after it', async () => {
    const { breaker, call } = setUp();
    const crash = async (calls: number): Promise<void> => {
      const gate = deferred<never>();
      const failed = Array.from({ length: calls }, () => errorOf(call(() => gate.promise)));
      gate.reject(clientError('PROCESS_EXITED', 'It was killed.', { delivery: 'ambiguous' }));
      await Promise.all(failed);
    };
    await crash(50);
    expect(breaker.state()).toEqual({ status: 'closed', calls: 1, failures: 1 });
    await crash(1);
    expect(breaker.state().status).toBe('open');
  });

  it('counts a crash once for calls that took the fast path', async () => {
    const { clock, breaker } = setUp();
    await clock.advance(10);
    const place = new HeldPlace(5);
    const fall = (): Promise<unknown> =>
      errorOf(breaker.policy(callContext({ place }), failing('UPSTREAM_CLOSED', { delivery: 'ambiguous' })));
    await fall();
    await fall();
    expect(breaker.state()).toEqual({ status: 'closed', calls: 1, failures: 1 });
    await clock.advance(10);
    await errorOf(breaker.policy(callContext({ place: new HeldPlace(15) }), failing('UPSTREAM_CLOSED')));
    expect(breaker.state().status).toBe('open');
  });

  it('counts every call that was not answered in time: each waited for itself', async () => {
    const { breaker, call } = setUp();
    const gate = deferred<never>();
    const waiting = [1, 2].map(() => errorOf(call(() => gate.promise)));
    gate.reject(clientError('UPSTREAM_TIMEOUT', 'It did not answer.', { delivery: 'ambiguous' }));
    await Promise.all(waiting);
    expect(breaker.state().status).toBe('open');
  });

  it('learns nothing from calls that our own limits refused', async () => {
    const { clock, breaker, call, break_ } = setUp();
    const refused = failing('RATE_LIMITED', { details: refusedByUs });
    await errorOf(call(refused));
    expect(breaker.state()).toEqual({ status: 'closed', calls: 0, failures: 0 });
    await break_();
    await clock.advance(100);
    await errorOf(call(refused));
    expect(breaker.state()).toEqual({ status: 'half-open', probing: false });
    await errorOf(call(failing('RATE_LIMITED', { details: notSent })));
    expect(breaker.state()).toEqual({ status: 'half-open', probing: false });
  });
});
