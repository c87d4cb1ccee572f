import type { ErrorCode } from '@plugboard/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { McpClientError, type Delivery } from '../error/client-error.js';
import { clientError } from '../error/to-client-error.js';
import { callContext, errorOf } from '../policy/test-support/call.js';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';
import { backoffCeilingMs } from './backoff.js';
import { retry } from './retry.js';

const scripted = (...script: (ErrorCode | McpClientError | 'ok')[]) => {
  const attempts: number[] = [];
  const next = ({ attempt }: { attempt: number }): Promise<string> => {
    attempts.push(attempt);
    const step = script[attempts.length - 1] ?? 'ok';
    if (step === 'ok') return Promise.resolve('ok');
    return Promise.reject(step instanceof McpClientError ? step : clientError(step, `failed: ${step}`));
  };
  return { attempts, next };
};

describe('retry', () => {
  it('waits longer each time, below the ceiling, and numbers the attempts', async () => {
    const clock = createFakeClock();
    const { attempts, next } = scripted('UPSTREAM_REFUSED', 'UPSTREAM_REFUSED', 'UPSTREAM_DNS');
    const done = retry({ maxRetries: 3, clock, random: () => 0.5 })(callContext(), next);
    await clock.advance(499);
    expect(attempts).toEqual([1]);
    await clock.advance(1);
    expect(attempts).toEqual([1, 2]);
    await clock.advance(1_000);
    expect(attempts).toEqual([1, 2, 3]);
    await clock.advance(2_000);
    expect(await done).toBe('ok');
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  it('passes the last real error on with the history when it gives up', async () => {
    const clock = createFakeClock();
    const { next } = scripted('UPSTREAM_REFUSED', 'UPSTREAM_DNS');
    const error = errorOf(retry({ maxRetries: 1, clock, random: () => 0.1 })(callContext(), next));
    await clock.advance(100);
    expect(await error).toMatchObject({
      code: 'UPSTREAM_DNS',
      message: 'failed: UPSTREAM_DNS',
      attempts: [
        { attempt: 1, code: 'UPSTREAM_REFUSED', delivery: 'not-executed', elapsedMs: 0 },
        { attempt: 2, code: 'UPSTREAM_DNS', delivery: 'not-executed', elapsedMs: 0 },
      ],
    });
  });

  it.each<[ErrorCode, Delivery, boolean, number]>([
    ['UPSTREAM_TIMEOUT', 'ambiguous', false, 1],
    ['UPSTREAM_TIMEOUT', 'ambiguous', true, 1],
    ['UPSTREAM_TIMEOUT', 'not-executed', true, 1],
    ['UPSTREAM_CLOSED', 'not-executed', false, 2],
    ['UPSTREAM_CLOSED', 'ambiguous', false, 1],
    ['UPSTREAM_CLOSED', 'ambiguous', true, 2],
    ['AMBIGUOUS_DELIVERY', 'ambiguous', true, 1],
    ['INVALID_ARGUMENT', 'answered', true, 1],
    ['CIRCUIT_OPEN', 'not-executed', true, 1],
    ['PROCESS_CRASH_LOOP', 'not-executed', true, 1],
  ])('%s, %s, idempotent=%s is tried %d times', async (code, delivery, idempotent, tries) => {
    const clock = createFakeClock();
    const { attempts, next } = scripted(clientError(code, 'failed', { delivery }));
    const policy = retry({ maxRetries: 5, clock, random: () => 0 });
    const done = policy(callContext({ idempotent }), next).catch(() => undefined);
    await clock.advance(1_000);
    await done;
    expect(attempts).toHaveLength(tries);
  });

  it('never undercuts Retry-After, and does not wait for one that is too long', async () => {
    const clock = createFakeClock();
    const limited = (retryAfterMs: number) => clientError('RATE_LIMITED', 'slow down', { retryAfterMs });
    const { attempts, next } = scripted(limited(7_000), limited(90_000));
    const context = callContext({ patienceMs: 60_000 });
    const error = errorOf(retry({ maxRetries: 5, clock, random: () => 0 })(context, next));
    await clock.advance(6_999);
    expect(attempts).toHaveLength(1);
    await clock.advance(1);
    expect(await error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 90_000 });
    expect(attempts).toHaveLength(2);
  });

  it('does not wait before the first retry over a new connection, but before the second', async () => {
    const clock = createFakeClock();
    const { attempts, next } = scripted('SESSION_LOST', 'SESSION_LOST');
    const done = retry({ maxRetries: 2, clock, random: () => 0.5 })(callContext(), next);
    await clock.advance(0);
    expect(attempts).toEqual([1, 2]);
    await clock.advance(1_000);
    expect(await done).toBe('ok');
  });

  it('tells of each retry', async () => {
    const told: unknown[] = [];
    const { next } = scripted('SESSION_LOST');
    const onRetry = ({ attempt }: { attempt: number }, { code }: McpClientError) => told.push([attempt, code]);
    await retry({ maxRetries: 1, onRetry })(callContext(), next);
    expect(told).toEqual([[1, 'SESSION_LOST']]);
  });

  it('ends at once when aborted while waiting, without another attempt', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const { attempts, next } = scripted('UPSTREAM_REFUSED');
    const error = errorOf(
      retry({ maxRetries: 5, clock, random: () => 0.9 })(callContext({ signal: controller.signal }), next),
    );
    await clock.advance(10);
    controller.abort();
    expect((await error).code).toBe('CANCELLED');
    expect(attempts).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });

  it('does not repeat after a fault of our own, and hides its text', async () => {
    let tries = 0;
    const next = (): Promise<never> => {
      tries += 1;
      return Promise.reject(new TypeError('a bug'));
    };
    const error = await errorOf(retry({ maxRetries: 5 })(callContext({ idempotent: true }), next));
    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'ambiguous' });
    expect(error.message).not.toContain('bug');
    expect(tries).toBe(1);
  });

  it('has min(2^(n-1), 60) seconds as its ceiling', () => {
    expect([1, 2, 3, 6, 7, 50].map(backoffCeilingMs)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  });

  it('never waits longer in all than the sum of the ceilings', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 8 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (maxRetries, share) => {
          const clock = createFakeClock();
          const { attempts, next } = scripted(...Array.from({ length: 20 }, () => 'UPSTREAM_REFUSED' as const));
          const error = errorOf(retry({ maxRetries, clock, random: () => share })(callContext(), next));
          const ceiling = Array.from({ length: maxRetries }, (_, index) => backoffCeilingMs(index + 1));
          await clock.advance(ceiling.reduce((sum, ms) => sum + ms, 0));
          await error;
          expect(attempts).toHaveLength(maxRetries + 1);
        },
      ),
    );
  });
});
