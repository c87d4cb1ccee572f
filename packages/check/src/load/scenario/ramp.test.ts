import { describe, expect, test } from 'vitest';
import { LatencyHistogram } from '../statistics/latency-histogram.js';
import { isBroken } from './ramp.js';

const step = (p99: number, failed = 0) => ({
  calls: 1_000,
  failed,
  uncorrected: { ...new LatencyHistogram().summary(), p99 },
});

describe('a step of the ramp', () => {
  test('is past the breaking point when p99 is five times what it was, or calls fail', () => {
    expect(isBroken(step(99), [step(20)])).toBe(false);
    expect(isBroken(step(101), [step(20)])).toBe(true);
    expect(isBroken(step(20, 10), [step(20)])).toBe(false);
    expect(isBroken(step(20, 11), [step(20)])).toBe(true);
    expect(isBroken(step(20, 11), [])).toBe(true);
    expect(isBroken(step(9_000), [])).toBe(false);
  });

  test('is measured by the best one before, and a few milliseconds mean nothing', () => {
    expect(isBroken(step(300), [step(469), step(20), step(25)])).toBe(true);
    expect(isBroken(step(49), [step(1)])).toBe(false);
    expect(isBroken(step(51), [step(1)])).toBe(true);
  });
});
