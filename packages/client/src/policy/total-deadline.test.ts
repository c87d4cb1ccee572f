import { deferred } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import type { CallContext } from './policy.js';
import { totalDeadline } from './total-deadline.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('totalDeadline', () => {
  it('passes results and errors through and leaves no timer behind', async () => {
    const clock = createFakeClock();
    const policy = totalDeadline(100, clock);
    expect(await policy(callContext(), () => Promise.resolve(7))).toBe(7);
    expect((await errorOf(policy(callContext(), failing('UPSTREAM_CLOSED')))).code).toBe('UPSTREAM_CLOSED');
    expect(clock.pending()).toBe(0);
  });

  it('ends a call that ignores its signal', async () => {
    const clock = createFakeClock();
    const seen: AbortSignal[] = [];
    const error = errorOf(
      totalDeadline(100, clock)(callContext(), ({ signal }) => {
        seen.push(signal);
        return never();
      }),
    );
    await clock.advance(100);
    expect(await error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', details: { timeout_ms: 100 } });
    expect(seen[0]?.aborted).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it('starts again with progress, tells the outer policy, and arms nothing after the end', async () => {
    const clock = createFakeClock();
    const call = deferred<CallContext>();
    let told = 0;
    const outer = callContext({ onProgress: () => (told += 1) });
    const error = errorOf(
      totalDeadline(100, clock)(outer, (context) => {
        call.resolve(context);
        return never();
      }),
    );
    const { onProgress } = await call.promise;
    await clock.advance(90);
    onProgress?.();
    await clock.advance(99);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    expect((await error).code).toBe('UPSTREAM_TIMEOUT');
    onProgress?.();
    expect([clock.pending(), told]).toEqual([0, 2]);
  });

  it('ends at once when the caller cancels, and starts nothing for a caller who already has', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const policy = totalDeadline(100, clock);
    const error = errorOf(policy(callContext({ signal: controller.signal }), never));
    controller.abort();
    expect((await error).code).toBe('CANCELLED');
    expect(clock.pending()).toBe(0);
    const late = await errorOf(policy(callContext({ signal: controller.signal }), never));
    expect(late).toMatchObject({ code: 'CANCELLED', delivery: 'not-executed' });
  });
});
