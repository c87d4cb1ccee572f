// Runs the referee on the same servers again and again: the verdicts must not depend on luck or on load.
import { Worker } from 'node:worker_threads';
import { availableParallelism, loadavg } from 'node:os';
import { examine } from './examine.mjs';

const LOOP = 'for (;;) Math.random();';

/** Keeps every core busy until `stop`. */
const busyLoops = () => {
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(LOOP, { eval: true }));
  return { stop: () => Promise.all(workers.map((worker) => worker.terminate())) };
};

const once = async (server, isBusy, tier) => {
  const loops = isBusy ? busyLoops() : undefined;
  try {
    return await examine(server, { tier });
  } finally {
    await loops?.stop();
  }
};

const keyOf = ({ id, era }) => `${id}@${era}`;

/** The checks of a run by their verdict. */
const byVerdict = (results) =>
  Object.fromEntries(
    [...new Set(results.map(({ verdict }) => verdict))].map((verdict) => [
      verdict,
      results.filter((one) => one.verdict === verdict).map(keyOf),
    ]),
  );

/** The flips so far and those of one more run, against the verdicts of the first. */
export const flipsWith = (flips, { first, earlier, results }) => {
  const usual = new Map(Object.entries(first).flatMap(([verdict, ids]) => ids.map((id) => [id, verdict])));
  const now = new Map(results.map((one) => [keyOf(one), one]));
  const all = new Map(flips.map(({ id, verdicts }) => [id, { ...verdicts }]));
  for (const id of new Set([...usual.keys(), ...now.keys()])) {
    const { verdict = 'absent', detail = '' } = now.get(id) ?? {};
    const before = usual.get(id) ?? 'absent';
    if (verdict === before && !all.has(id)) continue;
    const seen = all.get(id) ?? { [before]: { times: earlier, detail: '' } };
    const { times, detail: told } = seen[verdict] ?? { times: 0, detail: detail.slice(0, 200) };
    all.set(id, { ...seen, [verdict]: { times: times + 1, detail: told } });
  }
  return [...all].map(([id, verdicts]) => ({ id, verdicts }));
};

const keyOfRuns = ({ name, tier = 'standard' }) => `${name} ${tier}`;

/** What is known of a server after one more run. */
const withRun = (known, { report, version }, how) => {
  const { quiet = [], busy = [], beside = [], loads = [], first = byVerdict(report.results), flips = [] } = known;
  const seconds = Math.round(report.durationMs / 100) / 10;
  return {
    ...known,
    version,
    first,
    quiet: how === 'quiet' ? [...quiet, seconds] : quiet,
    busy: how === 'busy' ? [...busy, seconds] : busy,
    beside: how === 'beside' ? [...beside, seconds] : beside,
    loads: how === 'beside' ? [...loads, Math.round(loadavg()[0])] : loads,
    flips: flipsWith(flips, { first, earlier: quiet.length + busy.length + beside.length, results: report.results }),
  };
};

/**
 * Examines each server so many times more, all of them in turn, and adds to what is known of them. `busy` puts busy loops on
 * all cores beside the runs: `only`, `never`, or `alternating`; `isLoaded`: others work on the machine. Tells after each run, so that little is lost when it is cut short.
 */
export const repeat = async (servers, times, { busy, isLoaded, tier, known, onRun }) => {
  const all = new Map(known.map((one) => [keyOfRuns(one), one]));
  for (let round = 0; round < times; round += 1) {
    for (const server of servers) {
      const { name, transport } = server;
      const key = keyOfRuns({ name, tier });
      const isBusy = busy === 'only' || (busy === 'alternating' && round % 2 === 1);
      const ran = await once(server, isBusy, tier);
      const old = all.get(key);
      const how = isBusy ? 'busy' : isLoaded ? 'beside' : 'quiet';
      all.set(key, withRun(old?.version === ran.version ? old : { name, transport, tier }, ran, how));
      const took = (ran.report.durationMs / 1_000).toFixed(1);
      const { flips } = all.get(key);
      console.log(
        `${round + 1}/${times} ${name}: ${took} s${isBusy ? ', busy' : ''}, load ${loadavg()[0].toFixed(0)}, ${flips.length} flips`,
      );
      await onRun([...all.values()]);
    }
  }
  return [...all.values()];
};
