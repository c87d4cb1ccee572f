import { describe, expect, test } from 'vitest';
import type { ServerFacts } from '../discovery/server-facts.js';
import type { Check } from '../model/check.js';
import { holds } from '../model/finding.js';
import type { Session } from '../session/session.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { planChecks } from './plan.js';

const check = (members: Partial<Check>): Check => ({
  id: 'TOL-01',
  title: 'a title',
  family: 'tools',
  eras: ['legacy', 'modern'],
  transports: ['stdio', 'streamable-http', 'sse'],
  level: 'MUST',
  source: { sentence: 'a sentence', url: 'https://example.com/' },
  remedy: 'a remedy',
  tier: 'standard',
  run: async () => holds(),
  ...members,
});

const session = (capabilities: object): Session => ({ transport: 'stdio', capabilities }) as unknown as Session;
const legacyOnly: ServerFacts = { eras: ['legacy'], sessions: { legacy: session({ tools: {} }) } };
const dual: ServerFacts = {
  eras: ['legacy', 'modern'],
  sessions: { legacy: session({}), modern: session({ tools: {} }) },
};

const plan = (checks: readonly Check[], facts: ServerFacts, input: CheckTargetInput = {}) =>
  planChecks(checks, checkTarget.parse(input), facts).map(({ check: { id }, era, inapplicable }) => [
    id,
    era,
    inapplicable,
  ]);

describe('the plan', () => {
  test('has a check once per era that both know, and once to compare them', () => {
    expect(plan([check({}), check({ id: 'TOL-02', eras: 'both' })], dual)).toEqual([
      ['TOL-01', 'legacy', undefined],
      ['TOL-01', 'modern', undefined],
      ['TOL-02', 'legacy', undefined],
    ]);
  });

  test.each([
    [check({ eras: ['modern'] }), 'does not support revision 2026-07-28'],
    [check({ eras: 'both' }), 'only one era'],
    [check({ transports: ['sse'] }), 'It applies to sse'],
    [check({ needs: 'prompts' }), 'capability prompts'],
    [check({ needs: 'tools.listChanged' }), 'capability tools.listChanged'],
  ])('says why a check does not apply', (one, why) => {
    expect(plan([one], legacyOnly)[0]?.[2]).toContain(why);
  });

  test('leaves out what was not asked for', () => {
    const checks = [
      check({}),
      check({ id: 'TOL-02', tier: 'full' }),
      check({ id: 'LIF-01', family: 'lifecycle', tier: 'smoke' }),
    ];
    const ids = (input: CheckTargetInput): unknown[] => plan(checks, legacyOnly, input).map(([id]) => id);
    expect(ids({})).toEqual(['TOL-01', 'LIF-01']);
    expect(ids({ tier: 'smoke' })).toEqual(['LIF-01']);
    expect(ids({ tier: 'full' })).toEqual(['TOL-01', 'TOL-02', 'LIF-01']);
    expect(ids({ only: ['TOL-*'] })).toEqual(['TOL-01', 'TOL-02']);
    expect(ids({ skip: ['TOL-*'] })).toEqual(['LIF-01']);
    expect(ids({ suites: ['lifecycle'] })).toEqual(['LIF-01']);
  });
});

describe('a server that wants a token', () => {
  test('is judged by what a stranger sees, and by nothing else', () => {
    const facts: ServerFacts = { eras: ['legacy'], sessions: {}, locked: true };
    const checks = [check({ id: 'AUT-01', unopened: true }), check({})];
    const planned = planChecks(checks, checkTarget.parse({}), facts);
    expect(planned.map(({ check: { id }, unverifiable }) => [id, unverifiable !== undefined])).toEqual([
      ['AUT-01', false],
      ['TOL-01', true],
    ]);
  });
});
