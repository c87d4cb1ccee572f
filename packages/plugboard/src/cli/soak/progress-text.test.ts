import { expect, it } from 'vitest';
import { progressText } from './progress-text.js';

it('tells how far a soak is, and what is known', () => {
  const sample = { at: 1_000, calls: 100, failed: 1, latency: 2.34, sessions: 0 };
  expect(progressText({ sample, findings: [], elapsedMs: 1_000, totalMs: 61_500 })).toBe(
    '100 calls, 1 failed, 2.3 ms, at most 61 s left',
  );
  const finding = { metric: 'rss', verdict: 'stable', detail: '' } as const;
  const full = { ...sample, rss: 52_428_800, handles: 21 };
  expect(progressText({ sample: full, findings: [finding], elapsedMs: 90_000, totalMs: 60_000 })).toBe(
    '100 calls, 1 failed, 2.3 ms, 50 MiB, 21 handles, at most 0 s left: rss stable',
  );
});
