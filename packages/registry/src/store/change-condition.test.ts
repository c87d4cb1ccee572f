import { describe, expect, it } from 'vitest';
import { assertNotChanged, timeOfChange } from './change-condition.js';

const stored = { updated_at: '2026-01-01T00:00:00.005Z' };

describe('changes under a condition', () => {
  it('are refused when the state is another one than was read', () => {
    const change = (if_updated_at?: string) => () => assertNotChanged('agent', stored, { if_updated_at });
    for (const seen of [undefined, stored.updated_at, '2026-01-01T00:00:00.00500Z']) expect(change(seen)).not.toThrow();
    for (const seen of ['2026-01-01T00:00:00.004Z', '2026-01-01T00:00:00.006Z']) {
      expect(change(seen)).toThrow(expect.objectContaining({ code: 'CONFLICT', details: stored }));
    }
  });

  it('get times that differ, whatever the clock says', () => {
    const now = Date.parse(stored.updated_at);
    expect([now - 5000, now, now + 1, now + 5].map((each) => timeOfChange(stored, each))).toEqual([
      '2026-01-01T00:00:00.006Z',
      '2026-01-01T00:00:00.006Z',
      '2026-01-01T00:00:00.006Z',
      '2026-01-01T00:00:00.010Z',
    ]);
  });
});
