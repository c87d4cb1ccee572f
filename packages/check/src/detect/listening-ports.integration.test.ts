import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { listeningPorts } from './listening-ports.js';

const LISTENS = `const s = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port));`;
const KEEPS_TO_ITSELF = `console.log(0); setInterval(() => {}, 1000);`;

const portsOf = async (
  script: string,
): Promise<{ readonly said: number; readonly found: readonly number[] | undefined }> => {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    return { said: Number(chunk.toString('utf8')), found: await listeningPorts(child.pid ?? 0) };
  } finally {
    child.kill('SIGKILL');
  }
};

const onLinux = process.platform === 'linux';

test('a process that listens is detected, with its port', async () => {
  const { said, found } = await portsOf(LISTENS);
  expect(found).toEqual(onLinux ? [said] : undefined);
});

test('a process that does not listen has no port', async () => {
  const { found } = await portsOf(KEEPS_TO_ITSELF);
  expect(found).toEqual(onLinux ? [] : undefined);
});
