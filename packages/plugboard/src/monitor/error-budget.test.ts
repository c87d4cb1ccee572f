import { describe, expect, it } from 'vitest';
import { errorBudget } from './error-budget.js';

const HOUR = 3_600_000;
const now = 100 * HOUR;

/** One probe a minute, the newest last; `failing` says which of them failed, counted from now. */
const probes = (minutes: number, failing: (minutesAgo: number) => boolean) =>
  Array.from({ length: minutes }, (_, index) => minutes - 1 - index).map((ago) => ({
    at: now - ago * 60_000,
    ok: !failing(ago),
  }));

describe('the error budget', () => {
  it('is unknown without probes', () => {
    expect(errorBudget([], 0.99, now)).toEqual({
      availability: null,
      burn: { hour: null, six_hours: null },
      left: null,
      alarming: false,
    });
  });

  it('is used up at rate 1 when exactly the allowed share fails', () => {
    const { availability, burn, left, alarming } = errorBudget(
      probes(1_000, (ago) => ago % 100 === 0),
      0.99,
      now,
    );
    expect(availability).toBeCloseTo(0.99);
    expect(left).toBeCloseTo(0);
    expect(burn.six_hours).toBeCloseTo(4 / 361 / 0.01);
    expect(alarming).toBe(false);
  });

  it('is alarming when the last hour burns fast, or six hours burn slowly', () => {
    expect(
      errorBudget(
        probes(1_000, (ago) => ago < 10),
        0.99,
        now,
      ).alarming,
    ).toBe(true);
    expect(
      errorBudget(
        probes(1_000, (ago) => ago > 60 && ago < 90),
        0.99,
        now,
      ).alarming,
    ).toBe(true);
    expect(
      errorBudget(
        probes(1_000, (ago) => ago > 400 && ago < 500),
        0.99,
        now,
      ).alarming,
    ).toBe(false);
  });

  it('is not alarming by the first failures of a new server', () => {
    expect(
      errorBudget(
        probes(4, () => true),
        0.99,
        now,
      ).alarming,
    ).toBe(false);
    expect(
      errorBudget(
        probes(5, () => true),
        0.99,
        now,
      ).alarming,
    ).toBe(true);
  });
});
