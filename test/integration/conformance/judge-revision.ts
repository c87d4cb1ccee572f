import type { Eras } from '@plugboard/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { nameOf, type Upstream } from './cell.js';
import { flawsOf, isWithoutDoubt, passedChecks, requiredOf, scenarioPassed, type ScenarioOutcome } from './outcome.js';
import { requiredScenarios, type Revision } from './run-suite.js';
import { tableOf } from './table.js';
import { runDirectly, runThroughHub } from './through-hub.js';

/** All runs of one revision take well under two minutes on two idle cores. */
const DEADLINE_MS = 600_000;

export interface Judgement {
  readonly revision: Revision;
  /** How many scenarios the revision requires of a server: a suite that shrinks proves less. */
  readonly required: number;
  /** The eras of the fixture that speak this revision. */
  readonly direct: readonly Eras[];
  readonly upstreams: readonly Upstream[];
  /** Scenarios that cannot have a meaning through a hub, and why. */
  readonly exceptions: readonly { readonly scenario: string; readonly reason: string }[];
}

/** Tasks are an extension of the modern era: a server that speaks only the other one has none to pass on. */
const isOffered = (check: string, eras: Eras): boolean => eras !== 'legacy' || !check.startsWith('tasks-');

const ATTEMPTS = 3;

/**
 * Some checks of the suite wait for a second and a half at most, which a busy machine can spoil: a run that is not whole is
 * repeated, and the one counts in which most was found.
 */
const bestOf = async (
  run: () => Promise<readonly ScenarioOutcome[]>,
  isWhole: (outcomes: readonly ScenarioOutcome[]) => boolean,
): Promise<readonly ScenarioOutcome[]> => {
  let best = await run();
  for (let attempt = 1; attempt < ATTEMPTS && !isWhole(best); attempt += 1) {
    const next = await run();
    if (passedChecks(next).size > passedChecks(best).size) best = next;
  }
  return best;
};

/** Runs the suite directly and through the hub for each kind of server, and states what must hold. */
export const judgeRevision = ({ revision, required, direct, upstreams, exceptions }: Judgement): void => {
  const runs = new Map<string, readonly ScenarioOutcome[]>();
  const outcomesOf = (name: string): readonly ScenarioOutcome[] => runs.get(name) ?? [];
  const directName = (eras: Eras): string => `${eras}, without the hub`;
  const isException = (scenario: string): boolean => exceptions.some((exception) => exception.scenario === scenario);
  const named = upstreams.map((upstream) => [nameOf(upstream), upstream.eras] as const);
  /** What a run through the hub did not find, though it was found without. */
  const lostIn = (outcomes: readonly ScenarioOutcome[], eras: Eras): readonly string[] => {
    const through = passedChecks(outcomes);
    return [...passedChecks(outcomesOf(directName('both')))].filter(
      (check) => isOffered(check, eras) && !through.has(check) && !isException(check.split('/')[0] ?? ''),
    );
  };

  describe(`the official suite of ${revision}`, () => {
    beforeAll(async () => {
      for (const eras of direct) {
        runs.set(directName(eras), await bestOf(() => runDirectly({ fixture: 'own', revision, eras }), isWithoutDoubt));
      }
      for (const upstream of upstreams) {
        const isWhole = (outcomes: readonly ScenarioOutcome[]): boolean => lostIn(outcomes, upstream.eras).length === 0;
        runs.set(
          nameOf(upstream),
          await bestOf(() => runThroughHub({ fixture: 'own', revision, ...upstream }), isWhole),
        );
      }
    }, DEADLINE_MS);

    it('requires as much as when this was written', () => {
      expect(requiredScenarios(revision, 'server')).toHaveLength(required);
      expect(exceptions.length).toBeLessThan(3);
    });

    it.each(direct)('is passed by the fixture (%s) itself', (eras) => {
      expect(flawsOf(requiredOf(outcomesOf(directName(eras))))).toEqual([]);
      expect(requiredOf(outcomesOf(directName(eras)))).toHaveLength(required);
    });

    it.each(named)('is passed through the hub by a server that is %s', (name) => {
      const outcomes = requiredOf(outcomesOf(name)).filter(({ name: scenario }) => !isException(scenario));
      expect(flawsOf(outcomes)).toEqual([]);
      expect(outcomes.filter(scenarioPassed).length).toBeGreaterThan(required - 3);
    });

    it.each(named)('finds no less through the hub than directly with a server that is %s', (name, eras) => {
      expect(lostIn(outcomesOf(name), eras)).toEqual([]);
    });

    it('has the figures that the documentation shows', async () => {
      const rows = [...runs].map(([server, outcomes]) => ({ server, outcomes }));
      const title = `Server scenarios of ${revision}`;
      await expect(tableOf(title, rows)).toMatchFileSnapshot(`../../../docs/conformance/server-${revision}.md`);
    });
  });
};
