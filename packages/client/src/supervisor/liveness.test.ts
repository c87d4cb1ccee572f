import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';
import { watchLiveness } from './liveness.js';

const setUp = (probe: (signal: AbortSignal) => Promise<unknown>) => {
  const clock = createFakeClock();
  let given = 0;
  const onUnresponsive = (): void => {
    given += 1;
  };
  const end = watchLiveness({ probe, everyMs: 100, timeoutMs: 10, maxFailures: 2, clock, onUnresponsive });
  return { clock, end, given: () => given };
};

describe('liveness', () => {
  it('gives a server up after so many failures in a row, once', async () => {
    const answers = [false, true, false, false];
    const { clock, given } = setUp(() =>
      answers.shift() === true ? Promise.resolve() : Promise.reject(new Error('no')),
    );
    await clock.advance(300);
    expect(given()).toBe(0);
    await clock.advance(100);
    expect(given()).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it('counts silence as a failure and ends the probe', async () => {
    const signals: AbortSignal[] = [];
    const { clock, given } = setUp((signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    await clock.advance(220);
    expect(given()).toBe(1);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
  });

  it('leaves nothing behind when it is ended, also in the middle of a probe', async () => {
    const signals: AbortSignal[] = [];
    const { clock, end, given } = setUp((signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    await clock.advance(105);
    end();
    expect(signals[0]?.aborted).toBe(true);
    expect(clock.pending()).toBe(0);
    await clock.advance(1_000);
    expect(given()).toBe(0);
  });
});
