import type { Clock } from '@plugboard/client';
import type { LimitAsk, LimitGrant } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallLimits } from '../call-limits.js';

const KEYS = { server: 's', caller: 'c', tool: undefined };

const grantOf = ({ subject, rate }: LimitAsk): LimitGrant => ({
  subject,
  tokens: rate?.want ?? 0,
  level: 5,
  places: 0,
});

describe('limits that processes share', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const open = (lend: (asks: readonly LimitAsk[]) => Promise<readonly LimitGrant[]>) => {
    const clock = { now: () => Date.now() } as Clock;
    const limits = new CallLimits({ limits: { server: { perMinute: 60 } }, clock, fleet: { share: () => 0.5, lend } });
    const calls = (times: number): number => {
      let admitted = 0;
      for (let time = 0; time < times; time += 1) {
        try {
          limits.enter(KEYS)();
          admitted += 1;
        } catch {
          return admitted;
        }
      }
      return admitted;
    };
    return { limits, calls };
  };

  it('ask the store behind the calls, and sooner when one was refused', async () => {
    const lend = vi.fn((asks: readonly LimitAsk[]) => Promise.resolve(asks.map(grantOf)));
    const { limits, calls } = open(lend);
    // Its share of the burst.
    expect(calls(20)).toBe(5);
    expect(lend).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(30);
    expect(lend).toHaveBeenCalledTimes(1);
    expect(lend.mock.calls[0]?.[0]).toMatchObject([{ subject: 'server s', rate: { charge: 5, want: 5 } }]);
    expect(calls(20)).toBe(5);
    limits.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(lend).toHaveBeenCalledTimes(1);
  });

  it('go on with the share of this process while the store fails or hangs, and charge it afterwards', async () => {
    let answer: (asks: readonly LimitAsk[]) => Promise<readonly LimitGrant[]> = () => Promise.reject(new Error('down'));
    const asked: LimitAsk[] = [];
    const { limits, calls } = open((asks) => {
      asked.push(...asks);
      return answer(asks);
    });
    expect(calls(20)).toBe(5);
    await vi.advanceTimersByTimeAsync(1000);
    // Half of 60 a minute: one call in two seconds.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls(20)).toBe(5);
    answer = () => new Promise(() => undefined);
    await vi.advanceTimersByTimeAsync(4000);
    expect(calls(20)).toBe(2);
    expect(asked.every(({ rate }) => (rate?.charge ?? 0) >= 5)).toBe(true);
    limits.close();
  });
});
