// How often soak finds a leak, and how often it accuses a server that has none: N runs each, several at a time. Exit code 1: a
// server without a leak was accused, or one with a leak was called stable. A run that stays undecided is neither.
//   npm run build && node bench/soak/verdicts.mjs --runs 20 --at-once 5
// Options: --runs 20 --at-once 4 --seconds 120 --rate 500
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkTarget, runSoak } from '../../packages/check/dist/index.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '4' },
    seconds: { type: 'string', default: '120' },
    rate: { type: 'string', default: '500' },
  },
});
const plan = {
  seconds: Number(values.seconds),
  warmUpSeconds: 15,
  rate: Number(values.rate),
  concurrency: 4,
  churn: 0,
  churnMode: 'both',
};

const file = fileURLToPath(new URL('../support/soak-server.mjs', import.meta.url));

const soak = async (kind) => {
  const command = [process.execPath, file, kind];
  const target = checkTarget.parse({ command, load: { call: { tool: 'echo' } } });
  const report = await runSoak(target, { version: 'bench', plan, baseEnv: { PATH: process.env.PATH } });
  const grows = report.findings.filter(({ verdict }) => verdict === 'grows').map(({ metric }) => metric);
  return { kind, outcome: report.outcome, grows, seconds: report.durationMs / 1_000, reason: report.reason };
};

const queue = Array.from({ length: Number(values.runs) }, () => ['leak', 'reference']).flat();
const results = [];
const work = async () => {
  for (let kind = queue.pop(); kind !== undefined; kind = queue.pop()) {
    const result = await soak(kind);
    results.push(result);
    console.log(JSON.stringify(result));
  }
};
await Promise.all(Array.from({ length: Number(values['at-once']) }, work));

const isWrong = ({ kind, outcome, grows }) =>
  kind === 'leak'
    ? outcome !== 'incomplete' && !grows.includes('rss')
    : outcome !== 'incomplete' && outcome !== 'passed';
if (results.some(isWrong)) process.exitCode = 1;

for (const kind of ['leak', 'reference']) {
  const own = results.filter((result) => result.kind === kind);
  const accused = own.filter(({ grows }) => grows.length > 0);
  const byMemory = own.filter(({ grows }) => grows.includes('rss'));
  const undecided = own.filter(({ outcome }) => outcome === 'incomplete').length;
  const slowest = Math.max(...own.map(({ seconds }) => seconds));
  console.log(
    `${kind === 'leak' ? 'leaking server' : 'reference server'}: ${accused.length} of ${own.length} accused (${byMemory.length} of memory), ${undecided} undecided, slowest ${slowest.toFixed(0)} s`,
  );
}
