// A hub from the build, with a home of its own that goes with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLI = 'packages/plugboard/dist/main.js';

/** Starts a hub and waits until it serves. `nodeArguments` go before the program; `close` ends it and removes its home. */
export const startBuiltHub = async ({ env = {}, nodeArguments = [], stderr = 'inherit' } = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
  const hub = spawn(process.execPath, [...nodeArguments, CLI, 'serve', '--port', '0', '--home', home], {
    stdio: ['ignore', 'pipe', stderr],
    env: { ...process.env, PLUGBOARD_LOG_LEVEL: 'error', ...env },
  });
  let output = '';
  // It goes on being read: a hub whose output is closed ends.
  await new Promise((resolve, reject) => {
    hub.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('running at')) resolve();
    });
    hub.once('exit', (code) => reject(new Error(`The hub ended with ${code}: ${output}`)));
  });
  const url = /http:\/\/[\w.:]+/u.exec(output)[0];
  const { key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8'));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  return {
    pid: hub.pid,
    url,
    headers,
    /** Asks the admin API; throws what is no success. */
    ask: async (method, path, body) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(url + path, { method, headers, ...sent });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    close: async () => {
      const exited = once(hub, 'exit');
      hub.kill('SIGTERM');
      await exited;
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
