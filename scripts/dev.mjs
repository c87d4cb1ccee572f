// Serves the hub from the sources, and again after every change: `npm run dev -- --port 2092`.
import { spawn } from 'node:child_process';
import { watch as watchFiles } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { watch } from 'rolldown';
import { devDirectory, input, output, removeChunks } from './cli-bundle.mjs';

const STOP_MS = 10_000;
/** The compiler writes many files for one change. */
const SETTLE_MS = 100;
const windows = process.platform === 'win32';
let stopping = false;

/** Each child leads a process group: npm's launchers start another process, which outlives a signal to them alone. */
const start = (command, args) => {
  const child = spawn(command, args, { stdio: 'inherit', detached: !windows, shell: windows });
  console.log(`dev: started ${child.pid} (${args.slice(0, 2).join(' ')})`);
  return child;
};

const signal = (child, name) => {
  try {
    if (windows) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // It has ended meanwhile.
  }
};

const end = async (child) => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
};

let hub;
let restarting = Promise.resolve();
/** One restart after the other: a change may come while the hub still stops. */
const restartHub = () => {
  const before = restarting;
  restarting = (async () => {
    await before;
    await end(hub);
    if (stopping) return;
    hub = start(process.execPath, [join(devDirectory, 'main.js'), 'serve', '--demo', ...process.argv.slice(2)]);
  })();
};

/** Only our own sources change: dependencies are left where they are, and nothing is minified. */
const dependency = /^(?!\.|\/|[A-Za-z]:|\0|@plugboard\/|@oxc-project\/)/u;

await removeChunks(devDirectory);
const bundler = watch({
  ...input,
  external: [...input.external, dependency],
  output: { ...output, dir: devDirectory, minify: false, codeSplitting: true },
});
bundler.on('event', async (event) => {
  if (event.code === 'BUNDLE_END') {
    console.log(`dev: bundled in ${event.duration} ms`);
    restartHub();
  }
  if (event.code === 'ERROR') console.error(`dev: ${event.error.message}`);
  await event.result?.close();
});

// The bundled servers are programs of their own, which the bundle does not hold.
const compiler = start(join('node_modules', '.bin', 'tsc'), [
  '-b',
  'packages/servers',
  '--watch',
  '--preserveWatchOutput',
]);
let settle;
const programs = watchFiles(join('packages', 'servers', 'dist'), { recursive: true }, (_kind, file) => {
  if (!file?.endsWith('.js')) return;
  clearTimeout(settle);
  settle = setTimeout(restartHub, SETTLE_MS);
});

const stop = async () => {
  if (stopping) return;
  stopping = true;
  clearTimeout(settle);
  programs.close();
  await Promise.all([bundler.close(), end(compiler), restarting.then(() => end(hub))]);
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => void stop());
compiler.once('exit', () => void stop());
