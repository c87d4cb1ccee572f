import { type Cell, DIRECT, type Fixture, nameOf, type Upstream } from './cell.js';
import { reasonFor } from './known-losses.js';
import { lostChecks, passedChecks, requiredOf, scenarioPassed, type ScenarioOutcome } from './outcome.js';
import type { Revision } from './run-suite.js';
import type { Column, Loss } from './table.js';
import { runDirectly, runThroughHub } from './through-hub.js';

const ATTEMPTS = 3;

/**
 * Some checks of the suite wait for a second and a half at most, which a busy machine can spoil: a run that is not whole is
 * repeated, and what passed in one of them has passed.
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

/** What a cell lost without a reason that is written down. */
const unexplained = (cell: Cell, direct: ReadonlySet<string>, outcomes: readonly ScenarioOutcome[]) =>
  lostChecks(direct, passedChecks(outcomes)).filter((check) => reasonFor(cell, check) === undefined);

/** `expected`: what the run must find to be whole. */
export const runCell = (cell: Cell, expected: Iterable<string>): Promise<readonly ScenarioOutcome[]> =>
  bestOf(
    () => runThroughHub(cell),
    (outcomes) => {
      const found = passedChecks(outcomes);
      return [...expected].every((check) => found.has(check));
    },
  );

export interface Judged {
  readonly columns: readonly Column[];
  readonly losses: readonly Loss[];
  /** `server: check`, for what is lost without a reason. */
  readonly unexplained: readonly string[];
}

interface FoundLoss {
  readonly check: string;
  readonly reason: string;
  readonly column: string;
}

const groupsOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
};

const lossesOf = (cells: readonly (Cell & Column)[], direct: ReadonlySet<string>): readonly Loss[] => {
  const found = cells.flatMap((cell) =>
    lostChecks(direct, passedChecks(cell.outcomes)).map((check): FoundLoss => {
      const reason = reasonFor(cell, check) ?? 'No reason is written down.';
      return { check, reason, column: cell.name };
    }),
  );
  const byCheck = groupsOf(found, ({ check, reason }) => `${check} ${reason}`).map((losses) => ({
    check: losses[0]?.check ?? '',
    reason: losses[0]?.reason ?? '',
    columns: losses.map(({ column }) => column),
  }));
  return groupsOf(byCheck, ({ reason, columns }) => `${reason} ${columns.join()}`).map((losses) => ({
    checks: losses.map(({ check }) => check).toSorted(),
    columns: losses[0]?.columns ?? [],
    reason: losses[0]?.reason ?? '',
  }));
};

/** The suite of a revision against a fixture: directly, then through the hub for each kind of server. */
export const judge = async (fixture: Fixture, revision: Revision, upstreams: readonly Upstream[]): Promise<Judged> => {
  const plain = await bestOf(
    () => runDirectly({ fixture, revision, eras: 'both' }),
    (outcomes) => requiredOf(outcomes).every(scenarioPassed),
  );
  const direct = passedChecks(plain);
  const cells: (Cell & Column)[] = [];
  for (const upstream of upstreams) {
    const cell = { fixture, revision, ...upstream };
    const expected = [...direct].filter((check) => reasonFor(cell, check) === undefined);
    cells.push({ ...cell, name: nameOf(upstream), outcomes: await runCell(cell, expected) });
  }
  return {
    columns: [{ name: DIRECT, outcomes: plain }, ...cells],
    losses: lossesOf(cells, direct),
    unexplained: cells.flatMap((cell) =>
      unexplained(cell, direct, cell.outcomes).map((check) => `${cell.name}: ${check}`),
    ),
  };
};
