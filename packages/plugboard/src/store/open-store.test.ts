import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MasterKeySource } from '../settings/settings.js';
import { freshSettings } from '../test-support/fresh-settings.js';
import { openStore } from './open-store.js';
import { masterKeyRotation } from '../master-key/rotate-master.js';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-store-'));
});
afterEach(() => rm(home, { recursive: true }));

const opened = (masterKey: MasterKeySource = { from: 'file', path: join(home, 'master.key'), create: true }) =>
  openStore({ ...freshSettings(home), masterKey });

const fresh = (): Secret => Secret.of(randomBytes(32).toString('base64'));

/** Something sealed, so that the key matters. */
const withSecret = async (masterKey?: MasterKeySource): Promise<void> => {
  const { store } = await opened(masterKey);
  await store.agents.insert({
    id: 'agent-00000000-0000-4000-8000-000000000001',
    name: 'bot',
    description: null,
    server_ids: [],
    toolset_ids: [],
    allow_tool_ids: [],
    deny_tool_ids: [],
    variables: { KEY: Secret.of('value') },
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-01-02T03:04:05.000Z',
  } as never);
  await store.close();
};

describe('the store', () => {
  it('is opened with the same key again, and signs the same ids', async () => {
    const first = await opened();
    await first.store.close();
    const second = await opened();
    expect(second.taskKey).toEqual(first.taskKey);
    await second.store.close();
  });

  it('is not opened with a key file that is configured and missing', async () => {
    await expect(opened({ from: 'file', path: join(home, 'none.key'), create: false })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it('is not opened with another key than its secrets need', async () => {
    await withSecret();
    const path = join(home, 'master.key');
    const right = await readFile(path, 'utf8');
    await rm(path);
    await expect(opened()).rejects.toThrow('The master key is missing');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    await expect(opened({ from: 'environment', value: fresh() } as never)).rejects.toThrow(
      'encrypted with another master key',
    );
    await writeFile(path, right);
    await (await opened()).store.close();
  });
});

describe('the master key', () => {
  it('is replaced in its file, once however many ask', async () => {
    await withSecret();
    const path = join(home, 'master.key');
    const before = await readFile(path, 'utf8');
    const store = await opened();
    const rotate = masterKeyRotation(store, { from: 'file', path, create: true });
    const [one, two] = await Promise.all([rotate(), rotate()]);
    expect(one).toEqual({ resealed: expect.any(Number) as number, unreadable: 0 });
    expect(one.resealed).toBeGreaterThan(0);
    expect(two).toBe(one);
    await store.store.close();
    expect(await readFile(path, 'utf8')).not.toBe(before);
    await (await opened()).store.close();
  });

  it('of the environment is replaced only where the one before is named, too', async () => {
    const [old, next] = [fresh(), fresh()];
    await withSecret({ from: 'environment', value: old } as never);
    const both = { from: 'environment', value: next, previous: old } as never;
    const store = await opened(both);
    await expect(masterKeyRotation(store, { from: 'environment', value: old } as never)()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    expect((await masterKeyRotation(store, both)()).resealed).toBeGreaterThan(0);
    await store.store.close();
    await (await opened({ from: 'environment', value: next } as never)).store.close();
  });
});
