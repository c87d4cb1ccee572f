import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { MAIN, ownerKey, start, temporaryDirectory, until } from './cli-process.js';

const FILES = 256;

const isOver = (socket: Socket): Promise<unknown> =>
  Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);

it.skipIf(process.platform === 'win32')('silent connections of strangers leave files for everything else', async () => {
  const home = await temporaryDirectory();
  const hub = spawn(
    'sh',
    ['-c', `ulimit -n ${FILES}; exec "$@"`, 'sh', process.execPath, MAIN, 'serve', '--port', '0'],
    {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, PLUGBOARD_HOME: home },
    },
  );
  onTestFinished(() => void hub.kill('SIGKILL'));
  const [url] = await until(hub, /http:\/\/[\d.]+:\d+/u);
  const authorization = `Bearer ${await ownerKey(home)}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const statusOf = async (path: string): Promise<number | undefined> => {
    const asked = request(url + path, { agent, headers: { authorization } });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [{ readonly statusCode?: number; resume(): void }];
    answer.resume();
    await once(answer as never, 'end');
    return answer.statusCode;
  };
  expect(await statusOf('/health')).toBe(200);
  const strangers = Array.from({ length: 2 * FILES }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  onTestFinished(() => {
    for (const stranger of strangers) stranger.destroy();
  });
  for (const stranger of strangers) stranger.on('error', () => undefined);
  await Promise.all(strangers.map(isOver));
  // What serves it was not loaded before.
  expect(await statusOf('/v1/keys')).toBe(200);
});

it('the admin API is loaded although nobody asks for it', async () => {
  const home = await temporaryDirectory();
  const reporter = new URL('report-modules.mjs', import.meta.url).href;
  const hub = start(['serve', '--port', '0'], { home, env: { NODE_OPTIONS: `--import=${reporter}` } });
  let said = '';
  hub.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  await until(hub, /http:\/\/[\d.]+:\d+/u);
  await expect.poll(() => said, { timeout: 30_000 }).toMatch(/loads file:.*admin-api/u);
});
