import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DurationCounts } from './duration-counts.js';

const WANTED = [50, 95, 99] as const;

it('has nothing to say about nothing', () => {
  expect(new DurationCounts().percentiles(WANTED)).toEqual([0, 0, 0]);
});

it('is within ten per cent of the exact percentile, whatever the durations are', () => {
  const durations = fc.array(fc.double({ min: 0.01, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(durations, (all) => {
      const counts = new DurationCounts();
      for (const ms of all) counts.add(ms);
      const sorted = all.toSorted((left, right) => left - right);
      const found = counts.percentiles(WANTED);
      for (const [at, percentile] of WANTED.entries()) {
        const exact = sorted[Math.ceil((percentile / 100) * all.length) - 1] ?? 0;
        expect(Math.abs((found[at] ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.1 + 0.001);
      }
      expect(counts.max).toBe(sorted.at(-1));
      expect(counts.count).toBe(all.length);
    }),
  );
});
