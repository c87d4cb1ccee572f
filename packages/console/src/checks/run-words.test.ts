import { expect, it } from 'vitest';
import { runWords } from '../ui/run-words.js';
import { byVerdict } from './run-words.js';

it.each([
  [{ state: 'queued' }, 'Queued'],
  [{ state: 'running' }, 'Running'],
  [{ state: 'finished', outcome: 'passed' }, 'Passed'],
  [{ state: 'finished', outcome: 'failed' }, 'Failed'],
  [{ state: 'finished', outcome: 'incomplete' }, 'Incomplete'],
  [{ state: 'finished', outcome: 'unreachable' }, 'Unreachable'],
  [{ state: 'finished', outcome: 'not-examined' }, 'Not examined'],
  [{ state: 'finished' }, 'Not examined'],
] as const)('%j: %s', (run, word) => {
  expect(runWords(run).word).toBe(word);
});

it('puts findings first', () => {
  const verdicts = ['pass', 'not-applicable', 'fail', 'warn'] as const;
  expect(verdicts.map((verdict) => ({ verdict })).sort(byVerdict)).toEqual([
    { verdict: 'fail' },
    { verdict: 'warn' },
    { verdict: 'pass' },
    { verdict: 'not-applicable' },
  ]);
});
