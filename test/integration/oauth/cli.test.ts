import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runCli, type CliPorts } from '../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { oauthRig } from './rig.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
};

const URL_LINE = /^https?:\/\/\S+$/mu;

/** Runs a command and, as soon as it prints a URL, does with it what a person would. */
const runWith = async (
  argv: readonly string[],
  env: Record<string, string>,
  visit: (url: string) => Promise<unknown>,
) => {
  const fake = fakeProcess(argv, { env });
  const running = runCli(fake, ports);
  const found = await expect
    .poll(() => URL_LINE.exec(fake.written.stderr)?.[0], { timeout: 30_000, interval: 20 })
    .toBeTruthy()
    .then(() => URL_LINE.exec(fake.written.stderr)?.[0] ?? '');
  await visit(found);
  return { code: await running, stdout: fake.written.stdout, stderr: fake.written.stderr };
};

describe('plugboard login', () => {
  it('logs in through a running hub', async () => {
    const rig = await oauthRig();
    await rig.register();
    const env = { PLUGBOARD_HUB_URL: rig.hub.url, PLUGBOARD_API_KEY: rig.hub.key };
    const { code, stdout } = await runWith(['login', 'guarded', '--no-browser'], env, rig.login);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Logged in to guarded') as string,
    });
    expect(await rig.echo('cli')).toMatchObject({ text: 'cli' });
    const out = fakeProcess(['logout', 'guarded'], { env });
    expect(await runCli(out, ports)).toBe(0);
    expect(out.written.stdout).toBe('Logged out of guarded.\n');
    expect(rig.authorization.counts.revocations).toBe(2);
  });

  it('logs in without a hub, by listening for the browser itself', async () => {
    const home = await mkdtemp(join(tmpdir(), 'plugboard-login-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const rig = await oauthRig();
    const env = { PLUGBOARD_HOME: home };
    const add = fakeProcess(['add', 'guarded', rig.resource.url], { env });
    expect(await runCli(add, ports)).toBe(0);
    const { code, stdout } = await runWith(['login', 'guarded'], env, async (url) => {
      const back = await rig.authorization.login(url);
      expect(new URL(back).hostname).toBe('127.0.0.1');
      await fetch(back);
    });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Logged in to guarded') as string,
    });
    const call = fakeProcess(['call', 'guarded', 'echo', '--arg', 'text=stored'], { env });
    expect(await runCli(call, ports)).toBe(0);
    expect(call.written.stdout).toContain('stored');
  });

  it('gives up after the time it was given', async () => {
    const rig = await oauthRig();
    await rig.register();
    const env = { PLUGBOARD_HUB_URL: rig.hub.url, PLUGBOARD_API_KEY: rig.hub.key };
    const fake = fakeProcess(['login', 'guarded', '--timeout', '0.2'], { env });
    expect(await runCli(fake, ports)).toBe(5);
    expect(fake.written.stderr).toContain('The login was not completed within 0.2 s.');
  });

  it('ends at once when it is interrupted', async () => {
    const rig = await oauthRig();
    await rig.register();
    const stop = new AbortController();
    const env = { PLUGBOARD_HUB_URL: rig.hub.url, PLUGBOARD_API_KEY: rig.hub.key };
    const fake = fakeProcess(['login', 'guarded'], { env, signal: stop.signal });
    const running = runCli(fake, ports);
    await expect.poll(() => URL_LINE.test(fake.written.stderr), { timeout: 30_000 }).toBe(true);
    stop.abort(new DOMException('SIGINT', 'AbortError'));
    expect(await running).not.toBe(0);
  });
});
