import type { CheckVerdict } from '@plugboard/contract';
import { describe, expect, test } from 'vitest';
import { aReport, aResult } from '../test-support/sample-report.js';
import { compareReports, isWorse } from './compare-reports.js';

const of = (verdict: CheckVerdict | undefined) => aReport(verdict === undefined ? [] : [aResult({ verdict })]);

describe('two runs', () => {
  test.each([
    ['pass', 'fail', 'broken', true],
    ['pass', 'warn', 'broken', true],
    ['warn', 'fail', 'broken', true],
    ['fail', 'pass', 'fixed', false],
    ['warn', 'pass', 'fixed', false],
    ['fail', 'warn', 'fixed', false],
    ['pass', 'not-verified', 'changed', false],
    [undefined, 'pass', 'appeared', false],
    [undefined, 'fail', 'appeared', true],
    ['pass', undefined, 'gone', false],
  ] as const)('from %s to %s: %s', (before, after, kind, worse) => {
    const changes = compareReports(of(before), of(after));
    expect(changes).toMatchObject([{ id: 'LIF-01', era: 'legacy', kind, before, after }]);
    expect(isWorse(changes)).toBe(worse);
  });

  test('that agree have nothing to tell', () => {
    expect(compareReports(of('fail'), of('fail'))).toEqual([]);
  });
});
