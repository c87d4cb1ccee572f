// The load generator of `plugboard bench` beside autocannon and wrk, in turns, with the same requests: on a fast server for the
// throughput, and on a server with known delays for the percentiles (autocannon counts whole milliseconds).
//   npm run build && npm install --no-save autocannon@8.0.0 && node bench/load-generator.mjs --wrk wrk
// Options: --seconds 4 --rounds 3 --connections 10 --wrk <program> --pin (Linux: the server on core 0, the generators on core 1)
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { checkTarget, runBench } from '../packages/check/dist/index.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '10' },
    autocannon: { type: 'string', default: 'autocannon' },
    wrk: { type: 'string' },
    pin: { type: 'boolean', default: false },
  },
});
const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number);
const { default: autocannon } = await import(values.autocannon);

const pin = (pid, core) => {
  if (values.pin) execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
};
pin(process.pid, 1);

const start = async (delayed) => {
  const entry = fileURLToPath(new URL('support/echo-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [entry, ...(delayed ? ['delayed'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  pin(child.pid, 0);
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

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
const params = { name: 'echo', arguments: { text: 'canary-12345678-12345.' } };
const body = JSON.stringify({ jsonrpc: '2.0', id: 12_345, method: 'tools/call', params });

const byAutocannon = async (url) => {
  const options = { url, connections, method: 'POST', headers, body };
  await autocannon({ ...options, duration: 1 });
  const before = process.cpuUsage();
  const { requests, latency } = await autocannon({ ...options, duration: seconds });
  const { user, system } = process.cpuUsage(before);
  const { p50, p90, p99, average: mean } = latency;
  return { rate: requests.average, mean, p50, p90, p99, cpu: (user + system) / requests.total };
};

const scripts = mkdtempSync(join(tmpdir(), 'plugboard-wrk-'));
const script = join(scripts, 'post.lua');
const MILLISECONDS = { us: 0.001, ms: 1, s: 1_000 };

/** wrk prints "50%    1.23ms". */
const byWrk = async (url) => {
  const argv = ['-t1', `-c${connections}`, '--latency', '-s', script];
  await promisify(execFile)(values.wrk, [...argv, '-d1s', url]);
  const { stdout } = await promisify(execFile)(values.wrk, [...argv, `-d${seconds}s`, url]);
  const time = (name) => {
    const [, number, unit] = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s)`, 'u').exec(stdout);
    return Number(number) * MILLISECONDS[unit];
  };
  const rate = Number(/Requests\/sec:\s+([\d.]+)/u.exec(stdout)[1]);
  return { rate, mean: time('Latency'), p50: time('50%'), p90: time('90%'), p99: time('99%') };
};

const others = { autocannon: byAutocannon, ...(values.wrk === undefined ? {} : { wrk: byWrk }) };
const lua = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
writeFileSync(script, ['wrk.method = "POST"', ...lua, `wrk.body = [[${body}]]`, ''].join('\n'));

const show = (name, { rate, mean, p50, p90, p99, cpu }) => {
  const figures = [mean, p50, p90, p99].map((ms) => ms.toFixed(2).padStart(7));
  console.log(
    `${name.padEnd(10)} ${rate.toFixed(0).padStart(6)}/s  mean p50 p90 p99 ${figures.join(' ')} ms${cpu === undefined ? '' : `  ${cpu.toFixed(0)} µs CPU per call`}`,
  );
};

const median = (numbers) => {
  const sorted = numbers.toSorted((one, two) => one - two);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

try {
  for (const delayed of [false, true]) {
    console.log(delayed ? '\nServer with delays of 20 to 60 ms' : 'Fast server');
    const { child, url } = await start(delayed);
    const found = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const one = { plugboard: await ours(url) };
        for (const [name, measure] of Object.entries(others)) one[name] = await measure(url);
        for (const [name, figures] of Object.entries(one)) show(name, figures);
        found.push(one);
      }
    } finally {
      child.kill();
    }
    for (const name of Object.keys(others)) {
      for (const figure of delayed ? ['rate', 'p50', 'p90', 'p99'] : ['rate']) {
        const ratios = found.map((one) => one.plugboard[figure] / one[name][figure]);
        const all = ratios.map((ratio) => ratio.toFixed(3)).join(' ');
        console.log(`${figure}: ${median(ratios).toFixed(3)} of ${name} (median of ${all})`);
      }
    }
  }
} finally {
  rmSync(scripts, { recursive: true });
}
