import { describe, expect, it } from 'vitest';
import { respectRetryAfter } from './retry-after.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock } from './test-support/fake-clock.js';

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
