import type { CheckResult, CheckVerdict } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { comparedRuns } from './run-comparison.js';

const report = (...verdicts: readonly (readonly [string, CheckVerdict])[]) => ({
  results: verdicts.map(([id, verdict]): CheckResult => ({
    id,
    title: `title of ${id}`,
    family: 'tools',
    level: 'MUST',
    tier: 'smoke',
    transport: 'stdio',
    era: 'legacy',
    verdict,
    source: { sentence: '', url: '' },
    remedy: '',
    durationMs: 1,
  })),
});

it('names what differs between two runs, what got worse first', () => {
  const before = report(['A', 'pass'], ['B', 'fail'], ['C', 'pass'], ['D', 'warn'], ['E', 'pass'], ['G', 'fail']);
  const after = report(
    ['A', 'fail'],
    ['B', 'pass'],
    ['C', 'pass'],
    ['D', 'fail'],
    ['E', 'not-applicable'],
    ['F', 'warn'],
  );
  expect(comparedRuns(before, after).map(({ id, change }) => [id, change])).toEqual([
    ['A', 'worse'],
    ['D', 'worse'],
    ['B', 'better'],
    ['E', 'different'],
    ['F', 'new'],
    ['G', 'missing'],
  ]);
});

it('has nothing to say of runs that agree', () => {
  expect(comparedRuns(report(['A', 'fail']), report(['A', 'fail']))).toEqual([]);
});
