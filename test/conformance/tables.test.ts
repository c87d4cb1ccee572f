// Runs the official suite against every fixture, directly and through the hub, and writes the tables of
// docs/conformance: `npm run conformance`.
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ALL_UPSTREAMS, type Fixture } from '../integration/conformance/cell.js';
import { KNOWN_LOSSES } from '../integration/conformance/known-losses.js';
import { pageOf } from '../integration/conformance/page.js';
import { judge, type Judged } from '../integration/conformance/run-cells.js';
import { REVISIONS } from '../integration/conformance/run-suite.js';
import { writeTable } from '../integration/conformance/table.js';

const NAMES: Readonly<Record<Fixture, string>> = {
  sdk: 'a server made with the official SDK',
  own: "Plugboard's own fixture",
};
const TABLES = (Object.keys(NAMES) as Fixture[]).flatMap((fixture) =>
  REVISIONS.map((revision) => ({ fixture, revision })),
);

describe('the official suite, directly and through the hub', () => {
  const judged: Judged[] = [];

  it.each(TABLES)('$revision with the fixture "$fixture"', async ({ fixture, revision }) => {
    const found = await judge(fixture, revision, ALL_UPSTREAMS);
    judged.push(found);
    const title = `Server scenarios of ${revision}: ${NAMES[fixture]}`;
    await writeFile(pageOf(fixture, revision), writeTable(title, found.columns, found.losses));
    expect(found.unexplained).toEqual([]);
  });

  it('needs every reason that is written down', () => {
    const used = new Set(judged.flatMap(({ losses }) => losses.map(({ reason }) => reason)));
    expect(KNOWN_LOSSES.map(({ reason }) => reason).filter((reason) => !used.has(reason))).toEqual([]);
  });
});
