import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter, respectRetryAfter } from './retry-after.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from './test-support/fake-clock.js';

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 1970 00:01:40 GMT', 40_000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['2026', 2_026_000],
  ])('reads %j as %j', (value, expected) => {
    expect(parseRetryAfter(value, 60_000)).toBe(expected);
  });

  it('never gives anything but a number that is not negative', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (value, now) => {
        const ms = parseRetryAfter(value, now);
        expect(ms === undefined || ms >= 0).toBe(true);
      }),
    );
  });
});

describe('respectRetryAfter', () => {
  it('keeps everybody away until the pause is over', async () => {
    const clock = createFakeClock();
    const policy = respectRetryAfter({ clock });
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
    const policy = respectRetryAfter({ clock: createFakeClock() });
    await errorOf(policy(callContext(), failing('RATE_LIMITED')));
    await errorOf(policy(callContext(), failing('UPSTREAM_CLOSED', { retryAfterMs: 500 })));
    expect(await policy(callContext(), () => Promise.resolve('ok'))).toBe('ok');
  });
});
