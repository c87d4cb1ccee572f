import { describe, expect, it } from 'vitest';
import { sleep, systemClock } from './clock.js';
import { errorOf } from '../policy/test-support/call.js';
import { createFakeClock } from './test-support/fake-clock.js';

describe('sleep', () => {
  it('ends when its time has come', async () => {
    const clock = createFakeClock();
    let awake = false;
    const slept = sleep(clock, 100, new AbortController().signal).finally(() => {
      awake = true;
    });
    await clock.advance(99);
    expect(awake).toBe(false);
    await clock.advance(1);
    await slept;
    expect(awake).toBe(true);
  });

  it('ends at once on abort and leaves no timer behind', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const error = errorOf(sleep(clock, 60_000, controller.signal));
    controller.abort();
    expect((await error).code).toBe('CANCELLED');
    expect(clock.pending()).toBe(0);
  });

  it('does not start for a signal that is already aborted', async () => {
    const clock = createFakeClock();
    expect((await errorOf(sleep(clock, 1, AbortSignal.abort()))).code).toBe('CANCELLED');
    expect(clock.pending()).toBe(0);
  });

  it('works on real time', async () => {
    const before = systemClock.now();
    await sleep(systemClock, 5, new AbortController().signal);
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(4);
  });
});
