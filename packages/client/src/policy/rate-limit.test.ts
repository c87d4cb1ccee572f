import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimit } from './rate-limit.js';
import { callContext, errorOf } from './test-support/call.js';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';

const ok = (): Promise<string> => Promise.resolve('ok');

describe('the rate limit', () => {
  it('lets a burst through, refuses the next at once, and refills', async () => {
    const clock = createFakeClock();
    const policy = rateLimit({ perSecond: 2, burst: 3, clock });
    for (let count = 0; count < 3; count += 1) expect(await policy(callContext(), ok)).toBe('ok');
    expect(await errorOf(policy(callContext(), ok))).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 500 });
    await clock.advance(500);
    expect(await policy(callContext(), ok)).toBe('ok');
  });

  it('lets calls wait for their turn when told to', async () => {
    const clock = createFakeClock();
    const policy = rateLimit({ perSecond: 10, burst: 1, maxWaitMs: 150, clock });
    const started: number[] = [];
    const start = () => {
      started.push(clock.now());
      return ok();
    };
    const calls = [1, 2].map(() => policy(callContext(), start));
    expect((await errorOf(policy(callContext(), start))).retryAfterMs).toBe(200);
    await clock.advance(100);
    await Promise.all(calls);
    expect(started).toEqual([0, 100]);
  });

  it('returns the turn of a call that was cancelled while it waited', async () => {
    const clock = createFakeClock();
    const policy = rateLimit({ perSecond: 10, burst: 1, maxWaitMs: 100, clock });
    await policy(callContext(), ok);
    const controller = new AbortController();
    const waiting = errorOf(policy(callContext({ signal: controller.signal }), ok));
    controller.abort();
    expect((await waiting).code).toBe('CANCELLED');
    const next = policy(callContext(), ok);
    await clock.advance(100);
    expect(await next).toBe('ok');
  });

  it('never lets more through than the burst and what has flowed in since', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(pauses, async (waits) => {
        const clock = createFakeClock();
        const policy = rateLimit({ perSecond: 5, burst: 4, clock });
        let passed = 0;
        for (const wait of waits) {
          await clock.advance(wait);
          await policy(callContext(), ok).then(
            () => (passed += 1),
            () => undefined,
          );
          expect(passed).toBeLessThanOrEqual(4 + (clock.now() / 1_000) * 5 + 1e-9);
        }
      }),
    );
  });
});
