import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALL_UPSTREAMS, type Cell, DIRECT, type Fixture, nameOf, type Upstream } from './cell.js';
import { reasonFor } from './known-losses.js';
import { lostChecks, passedChecks, requiredOf, scenarioPassed, type ScenarioOutcome } from './outcome.js';
import { pageOf } from './page.js';
import { runCell } from './run-cells.js';
import { requiredScenarios, type Revision } from './run-suite.js';
import { readTable } from './table.js';

/** All runs of one revision take well under two minutes on two idle cores. */
const DEADLINE_MS = 600_000;

export interface Judgement {
  readonly revision: Revision;
  /** How many scenarios the revision requires of a server: a suite that shrinks proves less. */
  readonly required: number;
  /** The servers that are run here; `npm run conformance` runs all. */
  readonly servers: Readonly<Record<Fixture, readonly Upstream[]>>;
}

/** Holds some of the published tables against a fresh run, and all of them against the list of known losses. */
export const judgePublished = ({ revision, required, servers }: Judgement): void => {
  describe.each(Object.entries(servers) as [Fixture, readonly Upstream[]][])(
    `the official suite of ${revision} with the fixture "%s"`,
    (fixture, upstreams) => {
      const published = readTable(readFileSync(pageOf(fixture, revision), 'utf8'));
      const direct = published.get(DIRECT) ?? new Set<string>();
      const runs = new Map<string, readonly ScenarioOutcome[]>();
      const cellOf = (upstream: Upstream): Cell => ({ fixture, revision, ...upstream });

      beforeAll(async () => {
        for (const upstream of upstreams) {
          const name = nameOf(upstream);
          runs.set(name, await runCell(cellOf(upstream), published.get(name) ?? []));
        }
      }, DEADLINE_MS);

      it('requires as much as when this was written', () => {
        expect(requiredScenarios(revision, 'server')).toHaveLength(required);
      });

      it('has a published table of every server, and a reason for everything that is lost', () => {
        expect([...published.keys()]).toEqual([DIRECT, ...ALL_UPSTREAMS.map(nameOf)]);
        const unexplained = ALL_UPSTREAMS.flatMap((upstream) =>
          lostChecks(direct, published.get(nameOf(upstream)) ?? new Set())
            .filter((check) => reasonFor(cellOf(upstream), check) === undefined)
            .map((check) => `${nameOf(upstream)}: ${check}`),
        );
        expect(unexplained).toEqual([]);
      });

      it.each(upstreams.map(nameOf))('finds through the hub what is published for "%s"', (name) => {
        const found = passedChecks(runs.get(name) ?? []);
        expect([...(published.get(name) ?? [])].filter((check) => !found.has(check))).toEqual([]);
      });

      it.each(upstreams.filter(({ eras }) => eras === 'both').map(nameOf))(
        'passes every required scenario with a server that is "%s"',
        (name) => {
          const outcomes = requiredOf(runs.get(name) ?? []);
          expect(outcomes).toHaveLength(required);
          expect(outcomes.filter((outcome) => !scenarioPassed(outcome))).toEqual([]);
        },
      );
    },
  );
};
