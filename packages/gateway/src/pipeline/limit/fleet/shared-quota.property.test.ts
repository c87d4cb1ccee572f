import type { LimitAsk, LimitGrant } from '@plugboard/contract';
import type { Clock } from '@plugboard/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { burstOf, MS_PER_MINUTE } from '../quota/quota.js';
import { SharedQuota } from './shared-quota.js';

/** The bucket and the places, as the store has them. */
class SharedLimit {
  #level: number | undefined;
  #filledAt = 0;
  readonly #places = new Map<string, number>();

  lend(holder: string, { subject, rate, places }: LimitAsk, now: number): LimitGrant {
    let tokens = 0;
    if (rate !== undefined) {
      const { burst, perMinute, charge, want } = rate;
      const before = this.#level ?? burst;
      const filled = Math.min(burst, before + ((now - this.#filledAt) / MS_PER_MINUTE) * perMinute);
      const left = Math.min(burst, filled - charge);
      tokens = Math.max(0, Math.min(want, Math.floor(left)));
      this.#level = left - tokens;
      this.#filledAt = now;
    }
    let granted = 0;
    if (places !== undefined) {
      const others = [...this.#places].reduce((sum, [id, held]) => (id === holder ? sum : sum + held), 0);
      granted = Math.max(0, Math.min(places.want, places.limit - others));
      this.#places.set(holder, Math.max(granted, places.running));
    }
    return { subject, tokens, level: this.#level ?? 0, places: granted };
  }
}

interface Rig {
  readonly quotas: readonly SharedQuota[];
  readonly advance: (ms: number) => void;
  readonly now: () => number;
  /** Asks the store; what it says may get lost on the way there or back. */
  readonly exchange: (index: number, fate: 'answered' | 'unasked' | 'unheard') => void;
  readonly cutOff: Set<number>;
}

const rig = (count: number, limit: { readonly perMinute?: number; readonly concurrent?: number }): Rig => {
  let now = 0;
  const clock = { now: () => now } as Clock;
  const store = new SharedLimit();
  const cutOff = new Set<number>();
  const quotas = Array.from(
    { length: count },
    (_none, index) =>
      new SharedQuota({
        limit,
        subject: 'server x',
        clock,
        share: () => 1 / count,
        isCutOff: () => cutOff.has(index),
        hurry: () => undefined,
      }),
  );
  return {
    quotas,
    cutOff,
    now: () => now,
    advance: (ms) => (now += ms),
    exchange: (index, fate) => {
      const ask = quotas[index]?.ask();
      if (ask === undefined) return;
      const grant = fate === 'unasked' ? undefined : store.lend(String(index), ask, now);
      if (fate === 'answered' && grant !== undefined) quotas[index]?.granted(grant);
      else quotas[index]?.failed(ask);
    },
  };
};

const replica = fc.nat(3);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('call' as const), replica, times: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 5000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('exchange' as const),
      replica,
      fate: fc.constantFrom('answered' as const, 'answered' as const, 'unasked' as const, 'unheard' as const),
    }),
  },
);

const call = (quota: SharedQuota | undefined): boolean => {
  if (quota === undefined || quota.waitMs() > 0) return false;
  quota.enter();
  return true;
};

/** The widest that calls exceed a rate in any window of time. */
const widestExcess = (times: readonly number[], perMinute: number): number => {
  let widest = 0;
  for (let from = 0; from < times.length; from += 1) {
    for (let until = from; until < times.length; until += 1) {
      const passed = (times[until] ?? 0) - (times[from] ?? 0);
      widest = Math.max(widest, until - from + 1 - (passed / MS_PER_MINUTE) * perMinute);
    }
  }
  return widest;
};

describe('a rate that processes share', () => {
  it('is exceeded by no more than one burst and a call for each process, whatever gets lost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 300 }),
        fc.array(step, { maxLength: 60 }),
        (count, perMinute, steps) => {
          const { quotas, advance, exchange, now } = rig(count, { perMinute });
          const admitted: number[] = [];
          for (const each of steps) {
            if (each.kind === 'advance') {
              advance(each.ms);
            } else if (each.kind === 'exchange') {
              exchange(each.replica % count, each.fate);
            } else {
              for (let time = 0; time < each.times; time += 1) {
                const quota = quotas[each.replica % count];
                if (!call(quota)) continue;
                admitted.push(now());
                quota?.leave();
              }
            }
          }
          const burst = burstOf(perMinute);
          expect(widestExcess(admitted, perMinute)).toBeLessThanOrEqual(2 * burst + count + 1e-6);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('is used whole by one process when the others have no calls', () => {
    const { quotas, advance, exchange } = rig(3, { perMinute: 60 });
    let admitted = 0;
    for (let second = 0; second < 60; second += 1) {
      for (let turn = 0; turn < 2; turn += 1) {
        for (let time = 0; time < 10; time += 1) {
          if (call(quotas[0])) admitted += 1;
        }
        exchange(0, 'answered');
        advance(500);
      }
    }
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(60 + 2 * burstOf(60) + 3);
  });

  it('is used up to the share of a process while the store does not answer', () => {
    const { quotas, advance, exchange, cutOff } = rig(3, { perMinute: 60 });
    call(quotas[0]);
    exchange(0, 'answered');
    cutOff.add(0);
    let admitted = 0;
    for (let second = 0; second < 60; second += 1) {
      for (let time = 0; time < 10; time += 1) if (call(quotas[0])) admitted += 1;
      exchange(0, 'unasked');
      advance(1000);
    }
    // 20 a minute, and what it held when the store stopped answering.
    expect(admitted).toBeGreaterThanOrEqual(19);
    expect(admitted).toBeLessThanOrEqual(20 + burstOf(60) + 1);
  });

  it('says how long to wait, and lets the next call in then', () => {
    const { quotas, advance, exchange } = rig(1, { perMinute: 60 });
    const [quota] = quotas;
    while (call(quota)) quota?.leave();
    exchange(0, 'answered');
    const waitMs = quota?.waitMs() ?? 0;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(1000);
    advance(waitMs);
    exchange(0, 'answered');
    expect(call(quota)).toBe(true);
  });

  it('returns what is not used, and asks nothing more', () => {
    const { quotas, advance } = rig(2, { perMinute: 60 });
    const [quota] = quotas;
    call(quota);
    quota?.leave();
    expect(quota?.ask()).toMatchObject({ rate: { charge: 5, want: 1 } });
    quota?.granted({ subject: 'server x', tokens: 1, level: 4, places: 0 });
    advance(2000);
    expect(quota?.ask()).toMatchObject({ rate: { charge: -5, want: 0 } });
    quota?.granted({ subject: 'server x', tokens: 0, level: 10, places: 0 });
    expect(quota?.ask()).toBeUndefined();
    expect(call(quota)).toBe(true);
  });
});

describe('calls at the same time that processes share', () => {
  it('are never more than the limit and the shares of those that had not asked', () => {
    const act = fc.record({ replica, kind: fc.constantFrom('enter', 'enter', 'leave', 'exchange', 'advance') });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(act, { maxLength: 120 }),
        (count, concurrent, acts) => {
          const { quotas, advance, exchange } = rig(count, { concurrent });
          const running = Array.from({ length: count }, () => 0);
          for (const { replica: any, kind } of acts) {
            const index = any % count;
            if (kind === 'enter' && call(quotas[index])) running[index] = (running[index] ?? 0) + 1;
            if (kind === 'leave' && (running[index] ?? 0) > 0) {
              quotas[index]?.leave();
              running[index] = (running[index] ?? 0) - 1;
            }
            if (kind === 'exchange') exchange(index, 'answered');
            if (kind === 'advance') advance(200);
            const total = running.reduce((sum, each) => sum + each, 0);
            const shares = count * Math.max(1, Math.floor(concurrent / count));
            expect(total).toBeLessThanOrEqual(concurrent + shares);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are all given to the process that has the calls', () => {
    const { quotas, exchange } = rig(3, { concurrent: 6 });
    const enter = (times: number): number =>
      Array.from({ length: times }, () => call(quotas[0])).filter(Boolean).length;
    expect(enter(6)).toBe(2);
    exchange(0, 'answered');
    expect(enter(6)).toBe(4);
    exchange(0, 'answered');
    expect(enter(1)).toBe(0);
    // Another process comes: nothing is left but its first call.
    call(quotas[1]);
    exchange(1, 'answered');
    expect(call(quotas[1])).toBe(false);
  });
});
