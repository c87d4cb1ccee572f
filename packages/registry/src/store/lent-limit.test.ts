import { describe, expect, it } from 'vitest';
import { lendPlaces, lendTokens } from './lent-limit.js';

const MINUTE = 60_000;
const ask = (charge: number, want: number) => ({ perMinute: 60, burst: 10, charge, want });

describe('lendTokens', () => {
  it('begins with a full bucket, and fills it with time', () => {
    expect(lendTokens(undefined, 0, ask(0, 4))).toEqual({ tokens: 4, level: 6 });
    expect(lendTokens({ level: 0, filledAt: 0 }, 3000, ask(0, 10))).toEqual({ tokens: 3, level: 0 });
    expect(lendTokens({ level: 0, filledAt: 0 }, MINUTE, ask(0, 0))).toEqual({ tokens: 0, level: 10 });
  });

  it('goes below zero for what was taken, and recovers before anybody gets more', () => {
    expect(lendTokens({ level: 2, filledAt: 0 }, 0, ask(5, 5))).toEqual({ tokens: 0, level: -3 });
    expect(lendTokens({ level: -3, filledAt: 0 }, 4000, ask(0, 5))).toEqual({ tokens: 1, level: 0 });
  });

  it('takes tokens back up to what the bucket holds, and ignores a clock that goes back', () => {
    expect(lendTokens({ level: 8, filledAt: 0 }, 0, ask(-5, 0))).toEqual({ tokens: 0, level: 10 });
    expect(lendTokens({ level: 1, filledAt: MINUTE }, 0, ask(0, 5))).toEqual({ tokens: 1, level: 0 });
  });
});

describe('lendPlaces', () => {
  it('gives what others do not hold, and counts what runs already', () => {
    expect(lendPlaces(2, { limit: 5, running: 1, want: 9 })).toEqual({ granted: 3, held: 3 });
    expect(lendPlaces(5, { limit: 5, running: 2, want: 2 })).toEqual({ granted: 0, held: 2 });
  });
});
