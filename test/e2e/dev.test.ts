import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../architecture/source.js';

/** The processes of one group, without those that have ended. */
const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('npm run dev serves the hub again after a change, and leaves nothing behind', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-dev-'));
  const dev = spawn(process.execPath, ['scripts/dev.mjs', '--port', '0', '--home', home], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(dev, 'exit');
  let output = '';
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const children = (): readonly number[] =>
    [...output.matchAll(/dev: started (?<pid>\d+)/gu)].map((match) => Number(match[1]));
  const starts = (): number => [...output.matchAll(/is running at/gu)].length;
  try {
    await expect.poll(starts, { timeout: 90_000, interval: 100 }).toBe(1);
    const source = join(root, 'packages/plugboard/src/process/version.ts');
    await utimes(source, new Date(), new Date());
    await expect.poll(starts, { timeout: 90_000, interval: 100 }).toBeGreaterThan(1);
  } finally {
    dev.kill('SIGTERM');
    await ended;
    await rm(home, { recursive: true, force: true });
  }
  expect(children().length).toBeGreaterThan(2);
  expect(children().filter(alive)).toEqual([]);
});
