import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadOrCreateMasterKey, parseMasterKey } from './master-key.js';

const invalid = { code: 'CONFIG_INVALID' };

describe('loadOrCreateMasterKey', () => {
  let home: string;
  let path: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plugboard-key-'));
    path = join(home, 'deep', 'master.key');
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('makes a key that only its owner can read, and finds it again', async () => {
    const key = await loadOrCreateMasterKey(path);
    expect(key).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await loadOrCreateMasterKey(path)).toEqual(key);
    expect(await readdir(join(home, 'deep'))).toEqual(['master.key']);
  });

  it('gives every start the same key, however many come at once', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateMasterKey(path)));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(await readdir(join(home, 'deep'))).toEqual(['master.key']);
  });

  it('takes the file away from other users', async () => {
    const key = await loadOrCreateMasterKey(path);
    await chmod(path, 0o644);
    expect(await loadOrCreateMasterKey(path)).toEqual(key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('never replaces a file that it does not understand', async () => {
    await loadOrCreateMasterKey(path);
    await writeFile(path, 'rubbish');
    await expect(loadOrCreateMasterKey(path)).rejects.toMatchObject(invalid);
    expect(await readFile(path, 'utf8')).toBe('rubbish');
  });

  it('says that the place cannot be used, without naming it', async () => {
    await writeFile(join(home, 'deep'), '');
    const error: unknown = await loadOrCreateMasterKey(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(invalid);
    expect(JSON.stringify(error)).not.toContain(home);
  });

  it('says what to do when the file cannot be created', async () => {
    await symlink(join(home, 'nowhere', 'else'), join(home, 'deep'));
    const error: unknown = await loadOrCreateMasterKey(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ ...invalid, hint: expect.stringContaining('Free disk space') as string });
  });
});

describe('parseMasterKey', () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
  it.each(['base64', 'base64url', 'hex'] as const)('reads %s', (encoding) => {
    expect(parseMasterKey(` ${Buffer.from(bytes).toString(encoding)}\n`)).toEqual(bytes);
  });
  it.each(['', 'short', 'ff'.repeat(31), 'A'.repeat(100)])('refuses %j', (text) => {
    expect(() => parseMasterKey(text)).toThrow(expect.objectContaining(invalid));
  });
});
