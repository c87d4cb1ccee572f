// Runs the referee on the same server again and again: the verdicts must not depend on luck or on load.
import { Worker } from 'node:worker_threads';
import { availableParallelism } from 'node:os';
import { examine } from './examine.mjs';

const LOOP = 'for (;;) Math.random();';

/** Keeps every core busy until `stop`. */
const busyLoops = () => {
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(LOOP, { eval: true }));
  return { stop: () => Promise.all(workers.map((worker) => worker.terminate())) };
};

const verdictsOf = ({ report }) =>
  new Map(report.results.map(({ id, era, verdict, detail }) => [`${id}@${era}`, { verdict, detail: detail ?? '' }]));

/** The checks whose verdict was not the same in every run. */
export const flipsOf = (runs) => {
  const ids = [...new Set(runs.flatMap((run) => [...run.keys()]))];
  return ids.flatMap((id) => {
    const counts = new Map();
    for (const run of runs) {
      const { verdict = 'absent', detail = '' } = run.get(id) ?? {};
      const seen = counts.get(verdict) ?? { times: 0, detail };
      counts.set(verdict, { ...seen, times: seen.times + 1 });
    }
    return counts.size > 1 ? [{ id, verdicts: Object.fromEntries(counts) }] : [];
  });
};

/** Whether every check had one verdict only, in all runs on each server. With `busy`, every second run is beside busy loops. */
export const repeat = async (servers, times, busy) => {
  let steady = true;
  for (const server of servers) {
    const runs = [];
    for (let run = 0; run < times; run += 1) {
      const loops = busy && run % 2 === 1 ? busyLoops() : undefined;
      try {
        runs.push(verdictsOf(await examine(server)));
      } finally {
        await loops?.stop();
      }
    }
    const flips = flipsOf(runs);
    steady &&= flips.length === 0;
    console.log(`${server.name}: ${times} runs, ${flips.length === 0 ? 'the same verdicts in all of them' : 'flips:'}`);
    for (const { id, verdicts } of flips) {
      const told = Object.entries(verdicts).map(
        ([verdict, { times: count, detail }]) => `${verdict} ${count}× (${detail.slice(0, 160)})`,
      );
      console.log(`  ${id}: ${told.join('; ')}`);
    }
  }
  return steady;
};
