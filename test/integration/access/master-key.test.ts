import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Secret } from '@plugboard/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import type { Hub } from '../../../packages/plugboard/src/compose/hub.js';
import type { MasterKeySource } from '../../../packages/plugboard/src/settings/settings.js';
import { freshSettings } from '../../../packages/plugboard/src/test-support/fresh-settings.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const SECRET = 'canary-of-the-rotation-0123456789';

let home: string;
let hubs: Hub[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-rotation-'));
  hubs = [];
});
afterEach(async () => {
  for (const hub of hubs) await hub.close();
  await rm(home, { recursive: true, force: true });
});

const start = async (masterKey?: MasterKeySource): Promise<Hub> => {
  const hub = await composeHub({ ...freshSettings(home), ...(masterKey === undefined ? {} : { masterKey }) }, silent);
  hubs.push(hub);
  return hub;
};

const stop = async (hub: Hub): Promise<void> => {
  hubs = hubs.filter((other) => other !== hub);
  await hub.close();
};

const post = async (hub: Hub, path: string, body?: unknown): Promise<{ status: number; json: never }> => {
  const response = await hub.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }),
  );
  return { status: response.status, json: (await response.json()) as never };
};

const rotate = (hub: Hub) => post(hub, '/v1/keys/rotate-master');
const addAgent = (hub: Hub, name: string) => post(hub, '/v1/agents', { name, variables: { API_KEY: SECRET } });
const valueOf = async (hub: Hub, name: string) => (await hub.registry.agents.get(name)).variables['API_KEY']?.reveal();

it('replaces the master key while secrets are written and read, and needs the old one no more', async () => {
  const hub = await start();
  await addAgent(hub, 'first');
  const keyFile = join(home, 'master.key');
  const before = await readFile(keyFile, 'utf8');
  const rotation = new AbortController();
  const load = (async () => {
    for (let index = 0; index < 5 || (!rotation.signal.aborted && index < 500); index += 1) {
      expect((await addAgent(hub, `a${index}`)).status).toBe(200);
      expect(await valueOf(hub, `a${index}`)).toBe(SECRET);
      // The embedded store answers at once, so that nobody else would get a turn.
      await setImmediate();
    }
  })();
  await setImmediate();
  const { json } = await rotate(hub);
  rotation.abort();
  await load;
  expect(json).toMatchObject({ unreadable: 0 });
  expect(await readFile(keyFile, 'utf8')).not.toBe(before);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  await stop(hub);
  const again = await start();
  for (const agent of await again.registry.agents.list()) expect(agent.variables['API_KEY']?.reveal()).toBe(SECRET);
});

it('finishes at the next start what a crash interrupted', async () => {
  const hub = await start();
  await addAgent(hub, 'first');
  await stop(hub);
  const keyFile = join(home, 'master.key');
  // A rotation that had written its key down, and sealed nothing with it yet.
  const spare = await mkdtemp(join(tmpdir(), 'plugboard-key-'));
  await composeHub(freshSettings(spare), silent).then((made) => made.close());
  await copyFile(join(spare, 'master.key'), `${keyFile}.next`);
  const next = await readFile(`${keyFile}.next`, 'utf8');
  await rm(spare, { recursive: true, force: true });
  const again = await start();
  expect(await valueOf(again, 'first')).toBe(SECRET);
  expect(await readFile(keyFile, 'utf8')).toBe(next);
});

it('does not start with a wrong or missing key once there are secrets, and changes nothing', async () => {
  const hub = await start();
  await addAgent(hub, 'first');
  await stop(hub);
  const wrong: MasterKeySource = { from: 'environment', value: Secret.of(Buffer.alloc(32, 7).toString('base64')) };
  await expect(start(wrong)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('another master key'),
  });
  const keyFile = join(home, 'master.key');
  const key = await readFile(keyFile, 'utf8');
  await rm(keyFile);
  await expect(start()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('missing') });
  await expect(stat(keyFile)).rejects.toMatchObject({ code: 'ENOENT' });
  const right: MasterKeySource = { from: 'environment', value: Secret.of(key) };
  const again = await start(right);
  expect(await valueOf(again, 'first')).toBe(SECRET);
  expect((await rotate(again)).json).toMatchObject({ error: { code: 'CONFIG_INVALID' } });
  await stop(again);
  const rotated = await start({ ...wrong, previous: Secret.of(key) });
  expect((await rotate(rotated)).json).toEqual({ resealed: 1, unreadable: 0 });
  await stop(rotated);
  expect(await valueOf(await start(wrong), 'first')).toBe(SECRET);
});
