import { describe, expect, it } from 'vitest';
import { RequestIds } from './request-ids.js';

describe('RequestIds', () => {
  it('never come twice, are the same number for everybody, and do not tell the next', () => {
    const ids = new RequestIds();
    const given = Array.from({ length: 20_000 }, () => ids.next());
    expect(new Set(given).size).toBe(given.length);
    expect(given.every((id) => Number.isSafeInteger(id) && String(id).length === 15)).toBe(true);
    const steps = new Set(given.slice(1).map((id, index) => id - (given[index] ?? 0)));
    expect(steps.size).toBeGreaterThan(given.length - 100);
  });
});
