// The load generator of `plugboard bench` beside autocannon, in turns, with the same requests: on a fast server for the
// throughput, and on a server with known delays for the percentiles (autocannon counts whole milliseconds).
//   npm run build && npm install --no-save autocannon@8.0.0 && node bench/load-generator.mjs
// Options: --seconds 4 --rounds 3 --connections 10
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkTarget, runBench } from '../packages/check/dist/index.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '10' },
    autocannon: { type: 'string', default: 'autocannon' },
  },
});
const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number);
const { default: autocannon } = await import(values.autocannon);

const start = async (delayed) => {
  const entry = fileURLToPath(new URL('support/echo-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [entry, ...(delayed ? ['delayed'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, url: String(line).trim() };
};

const ours = async (url) => {
  const load = {
    call: { tool: 'echo', arguments: { text: 'x' } },
    scenarios: ['steady'],
    seconds,
    warmUpSeconds: 1,
    concurrency: connections,
  };
  const report = await runBench(checkTarget.parse({ url, era: 'legacy', load }), { version: 'bench' });
  const { callsPerSecond, uncorrected } = report.scenarios[0].phases[0];
  return { rate: callsPerSecond, ...uncorrected, cpu: report.generator.cpuMicrosecondsPerCall };
};

const theirs = async (url) => {
  const params = { name: 'echo', arguments: { text: 'canary-12345678-12345.' } };
  const options = {
    url,
    connections,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 12_345, method: 'tools/call', params }),
  };
  await autocannon({ ...options, duration: 1 });
  const before = process.cpuUsage();
  const { requests, latency } = await autocannon({ ...options, duration: seconds });
  const { user, system } = process.cpuUsage(before);
  const { p50, p90, p99, average: mean } = latency;
  return { rate: requests.average, mean, p50, p90, p99, cpu: (user + system) / requests.total };
};

const show = (name, { rate, mean, p50, p90, p99, cpu }) => {
  const figures = [mean, p50, p90, p99].map((ms) => ms.toFixed(2).padStart(7));
  console.log(
    `${name.padEnd(10)} ${rate.toFixed(0).padStart(6)}/s  mean p50 p90 p99 ${figures.join(' ')} ms  ${cpu.toFixed(0)} µs CPU per call`,
  );
};

const median = (numbers) => numbers.toSorted((one, two) => one - two)[Math.floor(numbers.length / 2)];

for (const delayed of [false, true]) {
  console.log(delayed ? '\nServer with delays of 20 to 60 ms' : 'Fast server');
  const { child, url } = await start(delayed);
  const pairs = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const pair = { ours: await ours(url), theirs: await theirs(url) };
      show('plugboard', pair.ours);
      show('autocannon', pair.theirs);
      pairs.push(pair);
    }
  } finally {
    child.kill();
  }
  for (const figure of delayed ? ['rate', 'p50', 'p90', 'p99'] : ['rate']) {
    const ratio = median(pairs.map((pair) => pair.ours[figure] / pair.theirs[figure]));
    console.log(`${figure}: ${ratio.toFixed(3)} of autocannon (median of ${rounds})`);
  }
}
