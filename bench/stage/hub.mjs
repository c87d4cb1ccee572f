// The performance stage of CI: `plugboard bench` and `plugboard soak` of the hub itself. Everything that can fail is a ratio to
// a bare undici proxy in front of the same server, measured in turns, or a trend; no absolute time is.
//   npm run build && npm run performance
// Options: --seconds 30 --soak-seconds 150
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { httpServer, register, startHub, startProgram, stopAll } from '../gateway-bench/processes.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, 'soak-seconds': { type: 'string', default: '150' } },
});
const main = fileURLToPath(new URL('../../packages/plugboard/dist/main.js', import.meta.url));
const upstreamServer = fileURLToPath(new URL('../support/echo-server.mjs', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'plugboard-stage-'));

/** The budgets of docs/performance.md, with room for the noise of machines that others share. */
const THRESHOLDS = ['call_failed:rate==0', 'against_rate:value>0.6', 'against_p50:value<1.7', 'against_p95:value<2.5'];

const plugboard = (...argv) =>
  spawnSync(process.execPath, [main, '--home', home, ...argv], { stdio: 'inherit' }).status ?? 1;

/** Whether nothing was wrong but ratios of time: a wrong answer or a failed call is not repeated away. */
const isOnlySlow = () => {
  const { violations, thresholds } = JSON.parse(readFileSync('hub-bench.json', 'utf8'));
  const failed = thresholds.filter(({ verdict }) => verdict === 'fail');
  return violations.length === 0 && failed.every(({ metric }) => metric.startsWith('against_'));
};

const upstream = spawn(process.execPath, [upstreamServer], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = await once(upstream.stdout, 'data');
  const url = String(line).trim();
  const hub = await startHub('stage');
  await register(hub, 'echo', httpServer(url));
  const bare = await startProgram('undici-proxy', url);
  const endpoint = `${hub.url}/servers/echo/mcp`;
  const call = ['--tool', 'echo={"text":"x"}', '--header', `Authorization: Bearer ${hub.key}`, '--era', 'legacy'];
  const thresholds = THRESHOLDS.flatMap((threshold) => ['--threshold', threshold]);
  const flags = [
    'bench',
    endpoint,
    ...call,
    '--against',
    bare.url,
    '--concurrency',
    '16',
    '--duration',
    values.seconds,
    '--warm-up',
    '8',
    '--rounds',
    '10',
    ...thresholds,
    '--report',
    'hub-bench.html',
    '--report',
    'hub-bench.json',
  ];
  console.log('# bench: the hub against the bare proxy\n');
  let bench = plugboard(...flags);
  if (bench === 1 && isOnlySlow()) {
    console.log('\n# bench: once more, because other work on the machine changes ratios, too\n');
    bench = plugboard(...flags);
  }
  console.log('\n# soak: the hub\n');
  const soak = plugboard(
    'soak',
    endpoint,
    ...call,
    '--pid',
    String(hub.pid),
    '--duration',
    values['soak-seconds'],
    '--churn',
    '5',
    '--report',
    'hub-soak.html',
    '--report',
    'hub-soak.json',
  );
  // Undecided is no failure of the hub: the machine was too slow for enough calls.
  process.exitCode = bench === 0 && (soak === 0 || soak === 6) ? 0 : 1;
} finally {
  upstream.kill();
  stopAll();
  rmSync(home, { recursive: true, force: true });
}
