import { loadPlan, type LoadPlan } from '@plugboard/contract';
import { describe, expect, test } from 'vitest';
import { judgeThresholds } from './judge-thresholds.js';
import { Metrics } from './metrics.js';
import { PRESETS } from './presets.js';
import { METRICS, parseThreshold } from './threshold.js';

describe('a threshold', () => {
  test.each([
    ['p(95)<200', 199, 200],
    ['avg <= 100', 100, 101],
    ['max>5', 6, 5],
    ['min>=1e-3', 0.001, 0],
    ['med==3', 3, 4],
    ['sd!=0', 1, 0],
  ])('%s holds for %d and not for %d', (expression, good, bad) => {
    const { holds } = parseThreshold('call_duration', expression);
    expect([holds(good), holds(bad)]).toEqual([true, false]);
  });

  test.each([
    ['call_durations', 'avg<1', 'there is no metric call_durations'],
    ['call_duration', 'p(96)<1', 'call_duration has no p(96)'],
    ['call_failed', 'avg<1', 'call_failed has no avg'],
    ['call_duration', 'avg', 'it is not a statistic'],
    ['call_duration', 'avg<fast', 'it is not a statistic'],
    ['__proto__', 'avg<1', 'there is no metric'],
  ])('%s: %s is refused', (metric, expression, why) => {
    expect(() => parseThreshold(metric, expression)).toThrow(why);
  });

  test.each(Object.entries(PRESETS))('of the preset %s can be read', (_name, thresholds) => {
    for (const [metric, expressions] of Object.entries(thresholds)) {
      for (const expression of expressions) expect(parseThreshold(metric, expression).metric).toBe(metric);
    }
  });
});

describe('the verdicts', () => {
  const judge = (plan: Partial<LoadPlan>, metrics: Metrics) => judgeThresholds(loadPlan.parse(plan), metrics);

  test('of the target replace those of the preset and the built-in ones', () => {
    const metrics = new Metrics();
    metrics.set('call_failed', { rate: 0.05, count: 5 });
    const verdict = (plan: Partial<LoadPlan>) =>
      judge(plan, metrics)
        .filter(({ metric }) => metric === 'call_failed')
        .map(({ expression, source, verdict: found }) => [expression, source, found]);
    expect(verdict({})).toEqual([['rate<1', 'built-in', 'pass']]);
    expect(verdict({ preset: 'framework-defaults' })).toEqual([['rate<=0.1', 'preset', 'pass']]);
    expect(verdict({ preset: 'strict', thresholds: { call_failed: ['rate<0.01'] } })).toEqual([
      ['rate<0.01', 'target', 'fail'],
    ]);
  });

  test('tell what was not measured, and what never ended', () => {
    const metrics = new Metrics();
    metrics.set('recovery', { value: Number.POSITIVE_INFINITY });
    const found = judge({ thresholds: { recovery: ['value<1000'], head_of_line: ['value<3'] } }, metrics);
    expect(found).toEqual([
      { metric: 'recovery', expression: 'value<1000', source: 'target', verdict: 'fail' },
      { metric: 'head_of_line', expression: 'value<3', source: 'target', verdict: 'not-measured' },
    ]);
  });

  test('count no calls at all as failed', () => {
    const metrics = new Metrics();
    metrics.failures('call_failed', { calls: 0, failed: 0 });
    expect(metrics.get('call_failed', 'rate')).toBe(1);
    expect(Object.keys(METRICS)).toContain('call_failed');
  });
});
