import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runCli, type CliPorts } from '../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
};
const LISTENING = /http:\/\/\S+:\d+/u;

const newHome = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-bind-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
};

/** `plugboard serve` on every address; resolves when it listens or has given up. */
const serve = async (home: string, host: string, env: Readonly<Record<string, string>> = {}) => {
  const stop = new AbortController();
  const argv = ['serve', '--host', host, '--port', '0', '--home', home];
  const fake = fakeProcess(argv, { env, signal: stop.signal });
  let code: number | undefined;
  const run = async (): Promise<void> => {
    code = await runCli(fake, ports);
  };
  const running = run();
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await expect.poll(() => code !== undefined || LISTENING.test(fake.written.stdout), { timeout: 30_000 }).toBe(true);
  const url = LISTENING.exec(fake.written.stdout)?.[0]?.replace(/\/\/(?:0\.0\.0\.0|\[::\])/u, '//127.0.0.1');
  return { code, url, stderr: fake.written.stderr };
};

it.each(['0.0.0.0', '::'])('does not listen on %s without access control', async (host) => {
  const { code, url, stderr } = await serve(await newHome(), host);
  expect([code, url]).toEqual([5, undefined]);
  expect(stderr).toContain(`Refusing to listen on ${host} without access control.`);
});

it('listens there once a key was made, and asks for it', async () => {
  const home = await newHome();
  const create = fakeProcess(['key', 'create', 'first', '--role', 'admin', '--home', home, '--json']);
  expect(await runCli(create, ports)).toBe(0);
  const { key } = JSON.parse(create.written.stdout) as { key: string };
  const { code, url } = await serve(home, '0.0.0.0');
  expect(code).toBeUndefined();
  expect((await fetch(`${url}/v1/mcp-servers`)).status).toBe(401);
  expect((await fetch(`${url}/v1/mcp-servers`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
});

it('listens there with a key of the operator, and where keys are demanded before there are any', async () => {
  const key = 'a-key-of-the-operators-own-choice';
  const admin = await serve(await newHome(), '0.0.0.0', { PLUGBOARD_ADMIN_KEY: key });
  expect((await fetch(`${admin.url}/servers`, { headers: { 'x-api-key': key } })).status).toBe(200);
  const closed = await serve(await newHome(), '0.0.0.0', { PLUGBOARD_REQUIRE_KEY: '1' });
  expect((await fetch(`${closed.url}/servers`)).status).toBe(401);
});
