import { describe, expect, test } from 'vitest';
import { wilsonInterval } from './wilson.js';

describe('the interval of Wilson', () => {
  // Values of the formula with z = 1.959964 and z = 1.644854.
  test.each([
    [5, 10, 0.95, 0.2366, 0.7634],
    [10, 10, 0.95, 0.7225, 1],
    [0, 10, 0.95, 0, 0.2775],
    [1, 1, 0.95, 0.2065, 1],
    [90, 100, 0.95, 0.8256, 0.9448],
    [90, 100, 0.9, 0.8399, 0.9392],
  ])('%i of %i at %f', (successes, trials, confidence, low, high) => {
    const interval = wilsonInterval(successes, trials, confidence);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  test('knows nothing without trials', () => {
    expect(wilsonInterval(0, 0, 0.95)).toEqual({ low: 0, high: 1 });
  });
});
