// What percentiles say of a server that stands still for half a second in every four: as a closed loop measures them
// (`plugboard bench` and autocannon), corrected for coordinated omission, and at a fixed rate of calls. A client that calls at
// any moment has one chance in eight to meet the stall, so its p90 is above 100 ms and its p99 near 460 ms.
//   npm run build && npm install --no-save autocannon@8.0.0 && node bench/coordinated-omission.mjs
// Options: --seconds 20 --connections 10 --rate 500 --autocannon <module>
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkTarget, runBench } from '../packages/check/dist/index.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '10' },
    rate: { type: 'string', default: '500' },
    autocannon: { type: 'string', default: 'autocannon' },
  },
});
const [seconds, connections, rate] = [values.seconds, values.connections, values.rate].map(Number);
const { default: autocannon } = await import(values.autocannon);

const entry = fileURLToPath(new URL('support/echo-server.mjs', import.meta.url));
const server = spawn(process.execPath, [entry, 'stalling'], { stdio: ['ignore', 'pipe', 'inherit'] });

const steady = async (url, more) => {
  const call = { tool: 'echo', arguments: { text: 'x' } };
  const load = { call, scenarios: ['steady'], seconds, warmUpSeconds: 1, concurrency: connections, ...more };
  const report = await runBench(checkTarget.parse({ url, era: 'legacy', load }), { version: 'bench' });
  return report.scenarios[0].phases[0];
};

const byAutocannon = async (url) => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const params = { name: 'echo', arguments: { text: 'x' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { latency, requests } = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    headers,
    body,
  });
  return {
    count: requests.total,
    p50: latency.p50,
    p90: latency.p90,
    p99: latency.p99,
    p999: latency.p99_9,
    max: latency.max,
  };
};

const show = (name, { count, p50, p90, p99, p999, max }) => {
  const figures = [p50, p90, p99, p999, max].map((ms) => ms.toFixed(1));
  console.log(`| ${[name, count, ...figures].join(' | ')} |`);
};

try {
  const [line] = await once(server.stdout, 'data');
  const url = String(line).trim();
  console.log('| | calls | p50 | p90 | p99 | p99.9 | max |\n|---|---|---|---|---|---|---|');
  show('autocannon, closed loop', await byAutocannon(url));
  const closed = await steady(url, {});
  show('`plugboard bench`, closed loop, measured', closed.uncorrected);
  show('`plugboard bench`, closed loop, corrected', closed.latency);
  const open = await steady(url, { rate });
  show(`\`plugboard bench --rate ${rate}\`, from when a call was sent`, open.uncorrected);
  show(`\`plugboard bench --rate ${rate}\`, from when a call was due`, open.latency);
} finally {
  server.kill();
}
