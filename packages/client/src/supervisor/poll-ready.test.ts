import { describe, expect, it } from 'vitest';
import { errorOf } from '../policy/test-support/call.js';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';
import { pollReady } from './poll-ready.js';

describe('pollReady', () => {
  it('repeats the handshake until it succeeds', async () => {
    const clock = createFakeClock();
    const answers = [false, false, true];
    const handshake = () => (answers.shift() === true ? Promise.resolve('link') : Promise.reject(new Error('refused')));
    const ready = pollReady(handshake, { signal: new AbortController().signal, everyMs: 10, clock });
    await clock.advance(19);
    expect(answers).toHaveLength(1);
    await clock.advance(1);
    expect(await ready).toBe('link');
  });

  it('ends with the signal, in the wait and in the handshake', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const waiting = pollReady(() => Promise.reject(new Error('refused')), { signal: controller.signal, clock });
    await clock.advance(10);
    controller.abort();
    expect((await errorOf(waiting)).code).toBe('CANCELLED');
    expect(clock.pending()).toBe(0);
    await expect(
      pollReady(() => Promise.reject(new Error('last')), { signal: controller.signal, clock }),
    ).rejects.toThrow('last');
  });
});
