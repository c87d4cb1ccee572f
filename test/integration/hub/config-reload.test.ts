import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerView } from '@plugboard/contract';
import { rawHttpClient } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHub } from '../../../packages/plugboard/src/serve/run-hub.js';
import { settingsFor } from '../../../packages/plugboard/src/cli/command/settings-for.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCallWith } from '../../support/hub-call.js';

type Entries = Readonly<Record<string, object>>;

/** A hub on a home with a configuration file, as `plugboard serve` runs it. */
const serve = async (first: Entries, flags: { readonly prune?: boolean } = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-reload-'));
  const write = (mcpServers: Entries | string, others: object = {}): Promise<void> =>
    writeFile(
      join(home, 'plugboard.json'),
      typeof mcpServers === 'string' ? mcpServers : JSON.stringify({ port: 0, mcpServers, ...others }),
    );
  await write(first);
  const stop = new AbortController();
  const hangups = new Set<() => void>();
  const fake = {
    ...fakeProcess([], { env: { PLUGBOARD_HOME: home }, signal: stop.signal }),
    onHangup: (listener: () => void) => {
      hangups.add(listener);
      return () => hangups.delete(listener);
    },
  };
  let log = '';
  fake.rawStderr.on('data', (chunk: Buffer) => (log += String(chunk)));
  const settings = () => settingsFor(fake, flags);
  const running = runHub(await settings(), fake, settings);
  onTestFinished(async () => {
    stop.abort();
    await running;
    await rm(home, { recursive: true, force: true });
  });
  await expect.poll(() => existsSync(join(home, 'hub.json')), { timeout: 20_000 }).toBe(true);
  // Who can find the hub can signal it: a signal without a listener ends a process.
  expect(hangups.size).toBe(1);
  const { url, key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8')) as { url: string; key: string };
  const servers = async (): Promise<readonly ServerView[]> =>
    (await hubCallWith(url, key)('GET', '/v1/mcp-servers')).json as ServerView[];
  await expect.poll(servers, { timeout: 20_000 }).toHaveLength(Object.keys(first).length);
  return {
    write,
    log: () => log,
    /** A request of a client. */
    list: () => rawHttpClient(`${url}/mcp`, { era: 'modern' }).request('tools/list'),
    hangUp: () => hangups.forEach((listener) => listener()),
    names: async () => (await servers()).map(({ server_name }) => server_name),
    server: async (name: string) => (await servers()).find(({ server_name }) => server_name === name),
  };
};

const dead = (path: string, more: object = {}): object => ({ url: `http://127.0.0.1:1/${path}`, ...more });

describe('a changed configuration file', () => {
  it('is taken up at SIGHUP, and what has left it is reported', async () => {
    const hub = await serve({ a: dead('a', { headers: { 'X-A': 'b' } }), b: dead('b') });
    expect(await hub.names()).toEqual(['a', 'b']);
    await hub.write({ a: dead('other'), c: dead('c') });
    hub.hangUp();
    await expect.poll(hub.names, { timeout: 20_000 }).toEqual(['a', 'b', 'c']);
    await expect.poll(async () => hub.server('a')).toMatchObject({ custom_headers: null });
    expect(await hub.server('a')).toMatchObject({ server_url: 'http://127.0.0.1:1/other' });
    await expect.poll(hub.log).toContain('is no longer in the configuration file, and stays registered');
    expect(hub.log()).toContain('plugboard remove b');
  });

  it('is noticed without a signal, and what has left it is removed with --prune', async () => {
    const hub = await serve({ a: dead('a'), b: dead('b') }, { prune: true });
    await hub.write({ a: dead('a') });
    await expect.poll(hub.names, { timeout: 20_000 }).toEqual(['a']);
  });

  it('that is not usable changes nothing, and is named', async () => {
    const hub = await serve({ a: dead('a') });
    await hub.write('{"mcpServers": {"a": {"command": "x", "colour": "red"}}}');
    hub.hangUp();
    await expect.poll(hub.log, { timeout: 20_000 }).toContain('Unrecognized key');
    expect(await hub.server('a')).toMatchObject({ server_url: 'http://127.0.0.1:1/a' });
    await hub.write({ a: dead('a'), b: dead('b') });
    hub.hangUp();
    await expect.poll(hub.names, { timeout: 20_000 }).toEqual(['a', 'b']);
  });

  it('changes the level of the log at once', async () => {
    const hub = await serve({ a: dead('a') });
    await hub.names();
    expect(hub.log()).not.toContain('"level":20');
    await hub.write({ a: dead('a') }, { logLevel: 'debug' });
    hub.hangUp();
    await expect.poll(hub.log, { timeout: 20_000 }).toContain('was reloaded');
    await hub.list();
    await expect.poll(hub.log, { timeout: 20_000 }).toContain('"level":20');
    expect(hub.log()).not.toContain('take effect at the next start');
  });
});
