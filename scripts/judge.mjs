/**
 * Examines the servers of scripts/judge/servers.mjs, confirms each MUST failure by raw requests, and writes
 * docs/judged-servers.json and docs/judged-servers.md. Exits with 1 when a failure is not confirmed.
 *
 *   npm run judge                                   every server
 *   npm run judge -- --only memory,github           these; the results of the others are kept
 *   npm run judge -- --into folder                  writes there instead of docs
 *   npm run judge -- --compare                      what other suites find on the same servers; docs/judged-comparison.md
 *   npm run judge -- --repeat 20 --busy --only …    twenty more runs of these, every second one beside busy loops: the same
 *                                                   verdicts each time? docs/judged-repeats.md; --busy-only: beside loops only;
 *                                                   --loaded: others work on the machine, which is told on the page
 *   npm run judge -- --tier smoke                   only how long this tier takes, beside the results that are there;
 *                                                   with --repeat: the verdicts of this tier
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installApart } from './install-apart.mjs';
import { compareSuites } from './judge/compare.mjs';
import { comparisonPage } from './judge/comparison-page.mjs';
import { examine } from './judge/examine.mjs';
import { judge, objections } from './judge/judge.mjs';
import { PROGRAMS } from './judge/launch.mjs';
import { clearOnSignals } from './judge/left-behind.mjs';
import { isOffline, starter } from './judge/offline.mjs';
import { pageOf } from './judge/page.mjs';
import { repeat } from './judge/repeat.mjs';
import { repeatsPage } from './judge/repeats-page.mjs';
import { SERVERS } from './judge/servers.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    into: { type: 'string', default: path.join(import.meta.dirname, '..', 'docs') },
    repeat: { type: 'string' },
    busy: { type: 'boolean', default: false },
    'busy-only': { type: 'boolean', default: false },
    loaded: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    tier: { type: 'string', default: 'standard' },
  },
});
const DATA = path.join(values.into, 'judged-servers.json');

const known = async () => JSON.parse(await readFile(DATA, 'utf8').catch(() => '{"results":[]}'));

const formatted = (...files) => spawnSync(path.join(import.meta.dirname, '..', 'node_modules', '.bin', 'oxfmt'), files);

const publish = async (fresh) => {
  const { results: old, conditions, note } = await known();
  const smoke = new Map(old.map(({ name, smokeMs, firstAnswerMs }) => [name, { smokeMs, firstAnswerMs }]));
  const kept = fresh.map((one) => ({ ...smoke.get(one.name), ...one }));
  const byName = new Map([...old, ...kept].map((one) => [one.name, one]));
  const results = SERVERS.flatMap(({ name }) => byName.get(name) ?? []);
  const missing = SERVERS.filter(({ name }) => !byName.has(name)).map(({ name }) => ({
    name,
    why: 'not examined yet',
  }));
  const examined = new Date().toISOString().slice(0, 10);
  const data = { examined, node: process.versions.node, conditions, note, results, missing };
  await writeFile(DATA, `${JSON.stringify(data, undefined, 2)}\n`);
  const page = path.join(values.into, 'judged-servers.md');
  await writeFile(page, pageOf(data));
  formatted(DATA, page);
};

const line = ({ name, durationMs, cpuMs, starts, summary, failures, outcome }) =>
  `${name}: ${outcome}, ${(durationMs / 1_000).toFixed(1)} s, ${(cpuMs / 1_000).toFixed(1)} s CPU, ${starts} starts, ` +
  `${summary.pass} passed, ${summary.warn} warned, MUST failures: ${failures.map(({ id, confirmed }) => `${id}${confirmed ? '' : ' (not confirmed)'}`).join(', ') || 'none'}`;

const judgeAll = async (servers) => {
  const problems = [];
  for (const server of servers) {
    try {
      const result = await judge(server);
      console.log(line(result));
      problems.push(...objections(result));
      await publish([result]);
    } catch (error) {
      problems.push(`${server.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const problem of problems) console.error(`\n${problem}`);
  return problems.length === 0;
};

/** Only the time: what a smaller tier finds, the larger one finds as well. */
const timeAll = async (servers, tier) => {
  for (const server of servers) {
    const { report, starts } = await examine(server, { tier });
    const { durationMs, firstAnswerMs = 0, outcome } = report;
    console.log(
      `${server.name}: ${tier}, ${(durationMs / 1_000).toFixed(1)} s, first answer after ${(firstAnswerMs / 1_000).toFixed(1)} s, ${starts} starts, ${outcome}`,
    );
    const judged = (await known()).results.find(({ name }) => name === server.name);
    if (judged !== undefined && tier === 'smoke') await publish([{ ...judged, smokeMs: durationMs, firstAnswerMs }]);
  }
  return true;
};

const repeatAll = async (servers) => {
  const file = path.join(values.into, 'judged-repeats.json');
  const page = path.join(values.into, 'judged-repeats.md');
  const { repeated: old, note } = JSON.parse(await readFile(file, 'utf8').catch(() => '{"repeated":[]}'));
  const write = async (repeated) => {
    const data = { examined: new Date().toISOString().slice(0, 10), node: process.versions.node, repeated, note };
    await writeFile(file, `${JSON.stringify(data, undefined, 2)}\n`);
    await writeFile(page, repeatsPage(data));
    formatted(file, page);
  };

  const busy = values['busy-only'] ? 'only' : values.busy ? 'alternating' : 'never';
  const repeated = await repeat(servers, Number(values.repeat), {
    busy,
    isLoaded: values.loaded,
    tier: values.tier,
    known: old,
    onRun: write,
  });
  for (const { name, flips } of repeated) console.log(`${name}: ${flips.length} flips`);
  return repeated.every(({ flips }) => flips.length === 0);
};

const compare = async (servers) => {
  const data = { examined: new Date().toISOString().slice(0, 10), compared: await compareSuites(servers) };
  const file = path.join(values.into, 'judged-comparison.json');
  const page = path.join(values.into, 'judged-comparison.md');
  await writeFile(file, `${JSON.stringify(data, undefined, 2)}\n`);
  await writeFile(page, comparisonPage(data, await known()));
  formatted(file, page);
};

const main = async () => {
  if (!installApart(PROGRAMS, ['install', '--no-save'])) {
    throw new Error('The servers of test/judge could not be installed.');
  }
  if (!(await isOffline())) return;
  clearOnSignals(starter());
  const wanted = values.only?.split(',');
  const servers = SERVERS.filter(({ name }) => wanted === undefined || wanted.includes(name));
  const strange = wanted?.filter((name) => !SERVERS.some((server) => server.name === name)) ?? [];
  if (strange.length > 0) throw new Error(`No such server: ${strange.join(', ')}.`);
  if (values.compare) return await compare(servers);
  const act = values.repeat !== undefined ? repeatAll : values.tier === 'standard' ? judgeAll : timeAll;
  const good = await act(servers, values.tier);
  if (!good) process.exitCode = 1;
};

await main();
