import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@plugboard/contract';
import { backupStore } from '@plugboard/registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MasterKeySource, Settings } from '../settings/settings.js';
import { freshSettings } from '../test-support/fresh-settings.js';
import { keyFileOf, presentKey, readKeyFile, writeBackupKey, writeNewKey } from '../master-key/backup-key.js';
import { openStore, storePlace } from './open-store.js';
import { restoreStore } from './restore-store.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugboard-restore-test-'));
});
afterEach(() => rm(directory, { recursive: true }));

const never = new AbortController().signal;

const homeOf = (name: string): Settings => {
  const home = join(directory, name);
  return { ...freshSettings(home), masterKey: { from: 'file', path: join(home, 'master.key'), create: true } };
};

const agent = (variables: Record<string, Secret>) => ({
  id: 'agent-00000000-0000-4000-8000-000000000001',
  name: 'bot',
  description: null,
  server_ids: [],
  toolset_ids: [],
  allow_tool_ids: [],
  deny_tool_ids: [],
  variables,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
});

/** A backup of a hub with one agent, who has a secret or none. */
const backedUp = async (variables: Record<string, Secret> = { KEY: Secret.of('value') }) => {
  const settings = homeOf('old');
  const { store } = await openStore(settings);
  await store.agents.insert(agent(variables) as never);
  await store.close();
  const file = join(directory, 'hub.backup');
  await backupStore({ from: storePlace(settings), file, signal: never });
  return { file, settings };
};

const secretIn = async (settings: Settings): Promise<string | undefined> => {
  const { store } = await openStore(settings);
  try {
    const [found] = await store.agents.all();
    return found?.agent.variables['KEY']?.reveal();
  } finally {
    await store.close();
  }
};

describe('a backup', () => {
  it('is restored with the key beside it, which the new home keeps', async () => {
    const { file, settings } = await backedUp();
    await writeBackupKey(settings.masterKey, keyFileOf(file));
    const target = homeOf('new');
    expect(await restoreStore(target, file, never)).toMatchObject({ key: 'restored' });
    expect(await secretIn(target)).toBe('value');
  });

  it('continues after an interruption, with a key that no program has created meanwhile', async () => {
    const { file, settings } = await backedUp();
    await writeBackupKey(settings.masterKey, keyFileOf(file));
    const target = homeOf('new');
    await expect(restoreStore(target, file, AbortSignal.abort())).rejects.toThrow('interrupted');
    // It creates a master key where there is none.
    await expect(openStore(target)).rejects.toThrow('interrupted');
    expect(await restoreStore(target, file, never)).toMatchObject({ key: 'present' });
    expect(await secretIn(target)).toBe('value');
  });

  it('is restored with the key that the environment gives', async () => {
    const { file, settings } = await backedUp();
    const key = Buffer.from((await presentKey(settings.masterKey)) ?? []).toString('base64');
    const target: Settings = { ...homeOf('new'), masterKey: { from: 'environment', value: Secret.of(key) } as never };
    expect(await restoreStore(target, file, never)).toMatchObject({ key: 'present' });
    expect(await secretIn(target)).toBe('value');
  });

  it('needs no key when it holds no secret', async () => {
    const { file } = await backedUp({});
    expect(await restoreStore(homeOf('new'), file, never)).toMatchObject({ key: 'missing' });
  });

  it('with secrets is refused without the key, or with another one', async () => {
    const { file } = await backedUp();
    await expect(restoreStore(homeOf('new'), file, never)).rejects.toThrow('is missing');
    await writeFile(keyFileOf(file), Buffer.alloc(32, 7).toString('base64'));
    await expect(restoreStore(homeOf('new'), file, never)).rejects.toThrow('is not the one');
  });

  it('that cannot be read is named as such', async () => {
    await expect(restoreStore(homeOf('new'), join(directory, 'none.backup'), never)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('the key of a backup', () => {
  it('is readable by its owner only, and overwrites nothing', async () => {
    const path = join(directory, 'hub.backup.key');
    await writeNewKey(path, new Uint8Array(32).fill(1));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(writeNewKey(path, new Uint8Array(32))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readKeyFile(path)).toEqual(new Uint8Array(32).fill(1));
    expect(await readFile(path, 'utf8')).toBe(`${Buffer.alloc(32, 1).toString('base64')}\n`);
  });

  it('does not exist before the hub has started once', async () => {
    const source: MasterKeySource = { from: 'file', path: join(directory, 'master.key'), create: true };
    await expect(writeBackupKey(source, join(directory, 'copy.key'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await presentKey(source)).toBeUndefined();
  });
});
