import { describe, expect, it } from 'vitest';
import { deadline } from './deadline.js';
import type { CallContext } from './policy.js';
import { deferred } from '../deadline/deferred.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from './test-support/fake-clock.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('deadline', () => {
  it('passes results and errors through and leaves no timer behind', async () => {
    const clock = createFakeClock();
    const policy = deadline({ requestMs: 100, connectMs: 50, idleMs: 10, clock });
    expect(await policy(callContext(), () => Promise.resolve(7))).toBe(7);
    expect((await errorOf(policy(callContext(), failing('UPSTREAM_CLOSED')))).code).toBe('UPSTREAM_CLOSED');
    expect(clock.pending()).toBe(0);
  });

  it('ends a call that ignores its signal', async () => {
    const clock = createFakeClock();
    const seen: AbortSignal[] = [];
    const error = errorOf(
      deadline({ requestMs: 100, clock })(callContext(), ({ signal }) => {
        seen.push(signal);
        return never();
      }),
    );
    await clock.advance(100);
    expect(await error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', details: { phase: 'request', timeout_ms: 100 } });
    expect(seen[0]?.aborted).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it('ends a call that does not connect', async () => {
    const clock = createFakeClock();
    const error = errorOf(deadline({ requestMs: 100, connectMs: 10, clock })(callContext(), never));
    await clock.advance(10);
    expect(await error).toMatchObject({ details: { phase: 'connect' } });
  });

  it('ends a call that goes quiet, but not one that keeps dripping within its time', async () => {
    const clock = createFakeClock();
    const call = deferred<CallContext>();
    const error = errorOf(
      deadline({ requestMs: 1_000, connectMs: 10, idleMs: 20, clock })(callContext(), (context) => {
        call.resolve(context);
        return never();
      }),
    );
    const { onActivity } = await call.promise;
    onActivity?.('connected');
    for (let drip = 0; drip < 5; drip += 1) {
      await clock.advance(19);
      onActivity?.('received');
    }
    await clock.advance(20);
    expect(await error).toMatchObject({ details: { phase: 'idle' } });
    expect(clock.now()).toBe(115);
  });

  it('starts anew with each sign of progress', async () => {
    const clock = createFakeClock();
    const call = deferred<CallContext>();
    const error = errorOf(
      deadline({ requestMs: 100, clock })(callContext(), (context) => {
        call.resolve(context);
        return never();
      }),
    );
    const { onActivity } = await call.promise;
    await clock.advance(90);
    onActivity?.('progress');
    await clock.advance(90);
    onActivity?.('received');
    await clock.advance(10);
    expect(await error).toMatchObject({ details: { phase: 'request' } });
    expect(clock.now()).toBe(190);
  });

  it('arms nothing for what arrives after the end', async () => {
    const clock = createFakeClock();
    const late = await deadline({ requestMs: 10, idleMs: 5, clock })(callContext(), ({ onActivity }) =>
      Promise.resolve(onActivity),
    );
    late?.('received');
    expect(clock.pending()).toBe(0);
  });

  it('ends at once when the caller gives up, and releases its listener', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const policy = deadline({ requestMs: 100, clock });
    const error = errorOf(policy(callContext({ signal: controller.signal }), never));
    controller.abort();
    expect((await error).code).toBe('CANCELLED');
    expect(clock.pending()).toBe(0);
    expect((await errorOf(policy(callContext({ signal: controller.signal }), never))).code).toBe('CANCELLED');
  });

  it('reports activity to the outer policy as well', async () => {
    const seen: string[] = [];
    const context = callContext({ onActivity: (activity) => seen.push(activity) });
    await deadline({ requestMs: 10 })(context, ({ onActivity }) => {
      onActivity?.('connected');
      return Promise.resolve();
    });
    expect(seen).toEqual(['connected']);
  });
});
