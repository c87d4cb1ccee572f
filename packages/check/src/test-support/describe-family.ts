import type { CheckReport, CheckResult, CheckTransport } from '@plugboard/contract';
import {
  memoryNetwork,
  MUTANTS,
  mutantServer,
  referenceServer,
  type Eras,
  type FakeNetwork,
  type Mutant,
  type MutantServer,
} from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Check } from '../model/check.js';
import type { Family } from '../model/family.js';
import type { CheckTargetInput } from '../target/target.js';
import { runCell, type CellOptions } from './cell.js';

const brief = ({ id, era, transport, verdict, detail }: CheckResult): string =>
  `${id} ${transport} ${era}: ${verdict}${detail === undefined ? '' : ` (${detail})`}`;

const transportsOf = (check: Check, mutant: Mutant): readonly CheckTransport[] =>
  check.transports.filter((transport) => mutant.transports?.includes(transport) ?? true);

/** The results of a check in which the defect of the mutant must show. */
const concerned = (results: readonly CheckResult[], mutant: Mutant): readonly CheckResult[] =>
  results.filter(
    ({ id, era, verdict }) =>
      id === mutant.kills &&
      verdict !== 'not-applicable' &&
      (mutant.eras === undefined || era === 'both' || era === 'none' || mutant.eras.includes(era)),
  );

/** All of the same family and the first checks of the others: the whole square would take minutes for each family. */
const isNear = ({ family, tier }: Check, own: Family): boolean => family === own || tier === 'smoke';

/** Checks that open a port of their own and see whether the server connects to it. */
export const listens = (id: string): boolean => id === 'SEC-02' || id === 'SEC-05';

export interface FamilyOptions {
  /** The server that passes everything; default: the plain reference. */
  readonly reference?: (eras?: Eras) => MutantServer;
  /** Mutants are held against their own family only, in the era that it concerns most: each costs real sockets. */
  readonly apart?: boolean;
  /** Checks that the reference inside this process gives nothing to judge. */
  readonly beyond?: readonly string[];
  /** Members of the target for all runs of the family. */
  readonly target?: CheckTargetInput;
  /** Whether servers listen on real sockets; default: connections inside this process. */
  readonly sockets?: boolean;
  /** The checks to prove; default: all of the family. */
  readonly only?: (id: string) => boolean;
}

const neighbours = (
  mutant: Mutant,
  check: Check,
  { apart = false, sockets = false }: FamilyOptions,
): CellOptions & { readonly checks: readonly Check[] } => {
  // The check that holds every message against the schema sees most defects, too.
  const related = new Set([check.id, 'RPC-01', ...(mutant.alsoKills ?? [])]);
  const near = CHECKS.filter(
    (other) =>
      other.level === 'MUST' &&
      !related.has(other.id) &&
      isNear(other, check.family) &&
      (sockets || !listens(other.id)),
  );
  if (!apart) return { checks: near };
  const era = check.eras === 'both' || check.eras.includes('modern') ? 'modern' : 'legacy';
  return { checks: near.filter(({ family }) => family === check.family), era };
};

const networkFor = ({ sockets = false }: FamilyOptions): FakeNetwork | undefined =>
  sockets ? undefined : memoryNetwork();

const describeMutant = (mutant: Mutant, check: Check, options: FamilyOptions): void => {
  const { target = {} } = options;
  const network = networkFor(options);
  const transports = transportsOf(check, mutant);

  test.each(transports)(`${mutant.name} turns ${check.id} red over %s`, async (transport) => {
    const { results } = await runCell(mutantServer(mutant), transport, {
      checks: [check],
      target: { ...target, ...mutant.target },
      network,
    });
    const red = ({ level }: CheckResult): string => (level === 'MUST' && mutant.doubtful !== true ? 'fail' : 'warn');
    const judged = concerned(results, mutant);
    expect(judged).not.toEqual([]);
    expect(judged.filter((result) => result.verdict !== red(result)).map(brief)).toEqual([]);
  });

  test(`${mutant.name} turns no unrelated MUST check red`, async () => {
    const { checks, ...where } = neighbours(mutant, check, options);
    const whole = { ...target, ...mutant.target };
    const failuresOf = async (asked: readonly Check[], budgets: object): Promise<readonly CheckResult[]> => {
      const { results } = await runCell(mutantServer(mutant), transports[0] ?? 'stdio', {
        ...where,
        checks: asked,
        target: { ...whole, budgets: { ...budgets, ...whole.budgets } },
        network,
      });
      // LIF-29 is judged in every run.
      return results.filter(({ id, verdict }) => verdict === 'fail' && id !== mutant.kills);
    };
    const failed = new Set((await failuresOf(checks, {})).map(({ id }) => id));
    // A pause of the machine is no defect of the mutant: what failed is asked once more, and patiently.
    const again = CHECKS.filter(({ id }) => failed.has(id));
    expect(again.length === 0 ? [] : (await failuresOf(again, { requestMs: 15_000 })).map(brief)).toEqual([]);
  });
};

type Variant = readonly [CheckTransport, Eras];

const VARIANTS: readonly Variant[] = [
  ['stdio', 'both'],
  ['streamable-http', 'both'],
  ['sse', 'both'],
  ['stdio', 'modern'],
  ['streamable-http', 'modern'],
  ['streamable-http', 'legacy'],
];

/**
 * The proof of a family: the reference passes every check over every transport and in every era, and each mutant turns
 * its check red, and nothing else.
 */
export const describeFamily = (family: Family, options: FamilyOptions = {}): void => {
  const { reference = referenceServer, target = {}, beyond = [], only = () => true } = options;
  const checks = CHECKS.filter((check) => check.family === family && only(check.id));

  describe(`${family}: the reference`, () => {
    const reports = new Map<string, Promise<CheckReport>>();
    const network = networkFor(options);
    // The reference answers always, so to wait costs nothing, and a busy machine is no defect.
    const patient = { ...target, budgets: { requestMs: 15_000, ...target.budgets } };
    /** Each variant is examined once, whichever test asks first. */
    const examined = ([transport, eras]: Variant): Promise<CheckReport> => {
      const key = `${transport} ${eras}`;
      const report = reports.get(key) ?? runCell(reference(eras), transport, { checks, target: patient, network });
      reports.set(key, report);
      return report;
    };

    test.each(VARIANTS)('passes over %s, eras: %s', async (...variant) => {
      const { results, outcome } = await examined(variant);
      expect(['unreachable', 'not-examined']).not.toContain(outcome);
      expect(results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable').map(brief)).toEqual(
        [],
      );
    });

    test('gives every check something to judge, over some transport and in every era that it is about', async () => {
      const results = (await Promise.all(VARIANTS.map(examined))).flatMap((report) => report.results);
      const judged = new Set(results.filter(({ verdict }) => verdict === 'pass').map(({ id, era }) => `${id} ${era}`));
      const wanted = checks
        .filter(({ id }) => !beyond.includes(id))
        .flatMap(({ id, eras }) => (eras === 'both' ? [`${id} both`] : eras.map((era) => `${id} ${era}`)));
      expect(wanted.filter((one) => !judged.has(one))).toEqual([]);
    });
  });

  describe(`${family}: mutants`, () => {
    for (const check of checks) {
      for (const mutant of MUTANTS.filter(({ kills }) => kills === check.id)) describeMutant(mutant, check, options);
    }
  });
};
