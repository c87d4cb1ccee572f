import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configFile } from '../../packages/plugboard/src/settings/config-file.js';
import { ownerHeaders, rememberKey } from './hub-keys.js';
import { needsOwnProcess, workersOfTests } from './workers-of-tests.js';
import type { RealHub, RealHubOptions } from './real-hub.js';

const MAIN = fileURLToPath(new URL('../../packages/plugboard/dist/main.js', import.meta.url));
const START_MS = 60_000;
const STOP_MS = 3000;
const MAX_TURNS = 50;

/** The settings of a test as plugboard.json has them. */
const fileOf = ({ home: _home, deadlines, ...others }: NonNullable<RealHubOptions['settings']>): object => {
  const seconds = deadlines && {
    connect: deadlines.connectMs / 1000,
    list: deadlines.listMs / 1000,
    call: deadlines.callMs / 1000,
  };
  const file = { ...others, ...(seconds && { deadlines: seconds }) };
  return configFile.safeParse(file).success
    ? file
    : needsOwnProcess(`such settings: ${Object.keys(others).join(', ')}`);
};

/** What the workers say at a path, one after the other: a new connection goes to the next one. */
export const askAllWorkers = async (url: URL, identify: (text: string) => string): Promise<readonly string[]> => {
  const texts = new Map<string, string>();
  for (let turn = 0; turn < MAX_TURNS && texts.size < Number(workersOfTests()); turn += 1) {
    const text = await (await fetch(url, { headers: { connection: 'close', ...ownerHeaders(url) } })).text();
    texts.set(identify(text), text);
  }
  return [...texts.values()];
};

/** The built hub with several workers, on a free port. */
export const startWorkersHub = async (
  count: string,
  { settings = {}, log, timeouts }: RealHubOptions,
): Promise<RealHub> => {
  if (log !== undefined) needsOwnProcess('log for the test');
  if (timeouts !== undefined) needsOwnProcess('timeouts for the test');
  const config = fileOf(settings);
  const home = settings.home ?? (await mkdtemp(join(tmpdir(), 'plugboard-workers-')));
  await writeFile(join(home, 'plugboard.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--workers', count], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, PLUGBOARD_HOME: home, PLUGBOARD_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The hub did not start: ${said}`)), START_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /running at (http:\/\/[\d.]+:\d+)/u.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The hub ended with ${code}: ${said}`)));
  });
  const { key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8')) as { key: string };
  rememberKey(url, key);
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(late);
    }
    if (settings.home === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return {
    url,
    key,
    openSignInLink: () => needsOwnProcess('sign-in link for the test'),
    serveStdio: () => needsOwnProcess('pipes for the test'),
    close: end,
    stop: end,
  };
};
