import type { CheckResult } from '@plugboard/contract';
import { memoryNetwork, MUTANTS, mutantServer, MutantServer, type Mutant, type Mutation } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Check } from '../model/check.js';
import { holds } from '../model/finding.js';
import { runCell } from '../test-support/cell.js';
import { REFERENCES } from '../test-support/references.js';

// A server that misbehaves exactly once has not shown that it breaks a MUST. The same server that misbehaves always has.

const mutationOf = ({ mutation }: Mutant): Mutation => (typeof mutation === 'function' ? mutation() : mutation);

type Hook = (...args: readonly unknown[]) => unknown;

const same: Hook = (asked) => asked;

/** The members of a mutation through which a defect can be played once, and what each gives when there is no defect. */
const HOOKS: Readonly<Record<string, Hook>> = {
  toClient: same,
  answer: () => undefined,
  'http.answer': () => undefined,
  'http.response': same,
  'http.event': same,
  'protection.accepts': () => false,
  'protection.answer': same,
  'protection.refusal': same,
  'protection.resourceMetadata': same,
  'protection.serverMetadata': same,
};

const NESTED = new Set(['http', 'protection']);

/** The members of a mutation by name, those of its HTTP and its protection with the name of the group in front. */
const membersOf = (mutation: Mutation): readonly (readonly [string, unknown])[] =>
  Object.entries(mutation).flatMap(([name, member]) =>
    NESTED.has(name)
      ? Object.entries(member as object).map(([inner, one]): [string, unknown] => [`${name}.${inner}`, one])
      : [[name, member] as const],
  );

/** The defect shows in the first thing that it changes, and never again. */
const once = (mutation: Mutation): Mutation => {
  let isSpent = false;
  const playedOnce =
    (change: Hook, unchanged: Hook): Hook =>
    (...args) => {
      if (isSpent) return unchanged(...args);
      const changed = change(...args);
      isSpent = JSON.stringify(changed) !== JSON.stringify(unchanged(...args));
      return changed;
    };
  const groups: Record<string, Record<string, unknown>> = { '': {} };
  for (const [name, member] of membersOf(mutation)) {
    const [group, inner] = name.includes('.') ? name.split('.') : ['', name];
    (groups[group ?? ''] ??= {})[inner ?? ''] = playedOnce(member as Hook, HOOKS[name] ?? same);
  }
  const { '': own, ...nested } = groups;
  return { ...own, ...nested };
};

const checkOf = ({ kills }: Mutant): Check | undefined => CHECKS.find(({ id }) => id === kills);

/** Defects of what the server says and of how it refuses, each of which breaks a MUST: those can be played exactly once. */
const CASES = MUTANTS.filter(
  (mutant) =>
    checkOf(mutant)?.level === 'MUST' &&
    mutant.doubtful !== true &&
    membersOf(mutationOf(mutant)).length > 0 &&
    membersOf(mutationOf(mutant)).every(([name]) => Object.hasOwn(HOOKS, name)),
);

const verdictOn = async (mutant: Mutant): Promise<CheckResult | undefined> => {
  const { eras = [], transports = [] } = checkOf(mutant) ?? {};
  const transport = transports.find((one) => mutant.transports?.includes(one) ?? true) ?? 'stdio';
  const [era = 'modern'] = mutant.eras ?? (eras === 'both' ? [] : eras);
  const { results } = await runCell(new MutantServer(once(mutationOf(mutant))), transport, {
    checks: CHECKS.filter(({ id }) => id === mutant.kills),
    era,
    network: memoryNetwork(),
    target: { ...mutant.target },
  });
  return results.find(({ id }) => id === mutant.kills);
};

describe('a defect that shows once', () => {
  let told = 0;

  test('is played for checks of most families', () => {
    expect(new Set(CASES.map(({ kills }) => kills.slice(0, 3))).size).toBeGreaterThan(12);
  });

  test.each(CASES.map((mutant) => [mutant.kills, mutant.name, mutant] as const))(
    '%s: %s is no failure',
    async (_id, _name, mutant) => {
      const { verdict, level, detail } = (await verdictOn(mutant)) ?? {};
      expect(verdict).not.toBe('fail');
      if (level !== 'MUST' || verdict !== 'warn') return;
      told += 1;
      expect(detail).toMatch(/^Not at every try: /u);
    },
  );

  test('is told of, as a warning', () => {
    expect(told).toBeGreaterThan(25);
  });
});

/** MUST checks that may fail without a second try, and what they do instead. */
const CONFIRMED_OTHERWISE: Readonly<Record<string, string>> = {
  'LIF-29': 'a crash is not provoked a second time; it is judged by whether the server is still there',
  'CAN-03': 'the damage lasts, and is seen in two conversations within one try',
  'TOL-06': 'the list stays another one, and is seen so on two connections within one try',
};

/** The first try is that of the check; at the second one nothing is wrong. */
const brokenOnce = (check: Check): Check => ({
  ...check,
  run: async (probe) => (probe.isSecondTry ? holds() : await check.run(probe)),
});

const proven = (check: Check): Mutant | undefined =>
  MUTANTS.find(({ kills, doubtful }) => kills === check.id && doubtful !== true);

const verdictsOf = async (check: Check, mutant: Mutant): Promise<readonly CheckResult[]> => {
  const transport = check.transports.find((one) => mutant.transports?.includes(one) ?? true) ?? 'stdio';
  const { target = {} } = REFERENCES.find(({ judges }) => judges(check.family)) ?? {};
  const { results } = await runCell(mutantServer(mutant), transport, {
    checks: [brokenOnce(check)],
    network: memoryNetwork(),
    target: { ...target, ...mutant.target },
  });
  return results.filter(({ id, level }) => id === check.id && level === 'MUST');
};

describe('no MUST fails by its first try alone', () => {
  const checks = CHECKS.filter(({ level, id }) => level === 'MUST' && id !== 'SEC-01');
  const cases = checks.flatMap((check) => {
    const mutant = proven(check);
    return mutant === undefined ? [] : [[check.id, mutant.name, check, mutant] as const];
  });

  test('each check takes part', () => {
    expect(cases.map(([id]) => id)).toEqual(checks.map(({ id }) => id));
  });

  test.each(cases)('%s, of %s', async (id, _name, check, mutant) => {
    const results = await verdictsOf(check, mutant);
    const failed = results.filter(({ verdict }) => verdict === 'fail');
    if (CONFIRMED_OTHERWISE[id] !== undefined) return expect(failed).not.toEqual([]);
    expect(failed).toEqual([]);
    expect(results.map(({ detail }) => detail)).toContainEqual(expect.stringMatching(/^Not at every try: /u));
  });
});
