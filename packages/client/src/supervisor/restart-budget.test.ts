import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../deadline/test-support/fake-clock.js';
import { createRestartBudget, defaultRestartPolicy } from './restart-budget.js';

const policy = { ...defaultRestartPolicy, maxRestarts: 4, windowMs: 60_000, baseDelayMs: 1_000, maxDelayMs: 3_000 };

describe('the restart budget', () => {
  it('restarts at once, then after growing waits, then declares a crash loop', () => {
    const clock = createFakeClock();
    const budget = createRestartBudget({ policy, clock, random: () => 1 });
    expect([1, 2, 3, 4].map(() => budget.spend())).toEqual([
      { kind: 'restart', delayMs: 0 },
      { kind: 'restart', delayMs: 1_000 },
      { kind: 'restart', delayMs: 2_000 },
      { kind: 'restart', delayMs: 3_000 },
    ]);
    expect(budget.spend()).toEqual({ kind: 'crash-loop', retryAfterMs: 60_000, failures: 5 });
  });

  it('forgets failures that have left the window', async () => {
    const clock = createFakeClock();
    const budget = createRestartBudget({ policy, clock, random: () => 0 });
    for (let count = 0; count < 4; count += 1) {
      budget.spend();
      await clock.advance(10_000);
    }
    expect(budget.spend()).toEqual({ kind: 'crash-loop', retryAfterMs: 30_000, failures: 5 });
    await clock.advance(60_000);
    expect(budget.spend()).toEqual({ kind: 'restart', delayMs: 0 });
  });

  it('starts afresh after a reset', () => {
    const budget = createRestartBudget({ policy, clock: createFakeClock(), random: () => 0 });
    for (let count = 0; count < 5; count += 1) budget.spend();
    budget.reset();
    expect(budget.spend()).toEqual({ kind: 'restart', delayMs: 0 });
  });

  it('never allows more restarts in a window than it may, whatever the pauses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 40 }), async (pauses) => {
        const clock = createFakeClock();
        const budget = createRestartBudget({ policy, clock, random: () => 0.5 });
        const restarts: number[] = [];
        for (const pause of pauses) {
          await clock.advance(pause);
          if (budget.spend().kind === 'restart') restarts.push(clock.now());
          const recent = restarts.filter((at) => at > clock.now() - policy.windowMs);
          expect(recent.length).toBeLessThanOrEqual(policy.maxRestarts);
        }
      }),
    );
  });
});
