// How long the CLI takes to start, as a multiple of a bare `node -e 0`.
// Usage: node bench/cli-start.mjs [rounds]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUDGET = 5;
const rounds = Number(process.argv[2] ?? 15);
const main = fileURLToPath(new URL('../packages/plugboard/dist/main.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'plugboard-bench-'));

const candidates = {
  'node -e 0': ['-e', '0'],
  'plugboard version': [main, 'version'],
  'plugboard --help': [main, '--help'],
  'plugboard completion bash': [main, 'completion', 'bash'],
  'plugboard list (opens the store)': [main, 'list'],
};

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

const timeOnce = (args) => {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'ignore',
    env: { ...process.env, PLUGBOARD_HOME: home },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}`);
  return performance.now() - started;
};

const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
try {
  // Side by side, so that whatever else the machine does falls on all of them alike; the first round warms the caches.
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(candidates)) {
      const milliseconds = timeOnce(args);
      if (round >= 0) times[name].push(milliseconds);
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

const base = median(times['node -e 0']);
let exceeded = false;
for (const [name, values] of Object.entries(times)) {
  const ratio = median(values) / base;
  exceeded ||= ratio > BUDGET;
  console.log(`${name.padEnd(34)} ${median(values).toFixed(0).padStart(6)} ms  ${ratio.toFixed(2)} ×`);
}
console.log(`budget: ${BUDGET} × — ${exceeded ? 'exceeded' : 'kept'}`);
process.exitCode = exceeded ? 1 : 0;
