import { expect, it } from 'vitest';
import { figureWords, loadWords } from './bench-words.js';

it('writes figures and the load in one line', () => {
  const figures = { calls: 200, failed: 0, calls_per_second: 19.97, p50: 3.14, p95: 8, p99: 12.2 };
  expect(figureWords(figures)).toBe('20/s, p50 3.1 ms, p99 12 ms');
  expect(figureWords({ ...figures, failed: 3 })).toMatch(/, 3 failed$/u);
  const run = {
    id: '20260102T030405678Z-0',
    state: 'running',
    target: { label: 'one' },
    created_at: '2026-01-02T03:04:05.678Z',
    done: 0,
    seconds: 10,
    rate: 20,
    concurrency: 1,
  } as const;
  expect(loadWords(run)).toBe('20 calls per second for 10 s, 1 caller');
  expect(loadWords({ ...run, tool: 'echo' })).toBe('echo, 20 calls per second for 10 s, 1 caller');
});
