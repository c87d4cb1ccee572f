import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

const unusable = (message: string, cause?: unknown): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', message, {
    hint: 'Restore the file from a backup, or point the hub to the key that encrypted its secrets.',
    cause,
  });

const notCreated = (cause: unknown): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', 'The master key file cannot be created.', {
    hint: 'Free disk space, or give the hub write permission.',
    cause,
  });

/** A key as people keep it: 32 bytes in base64 or base64url, or in hexadecimal. */
export const parseMasterKey = (text: string): Uint8Array => {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/iu.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (bytes.length !== KEY_BYTES) throw unusable('The master key is not 32 bytes in base64 or hexadecimal.');
  return new Uint8Array(bytes);
};

const readKey = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    const text = await readFile(path, 'utf8');
    await chmod(path, OWNER_ONLY);
    return parseMasterKey(text);
  } catch (thrown) {
    if (hasErrorCode(thrown, 'ENOENT')) return undefined;
    throw thrown instanceof PlugboardError ? thrown : unusable('The master key file cannot be read.', thrown);
  }
};

/** Writes beside the place and links it in, so that a reader sees no key or a whole one, and two starts agree on one. */
const createKey = async (path: string): Promise<void> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw notCreated(thrown);
  }
  try {
    const file = await open(draft, 'wx', OWNER_ONLY);
    try {
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
  } catch (thrown) {
    if (!hasErrorCode(thrown, 'EEXIST')) throw notCreated(thrown);
  } finally {
    await rm(draft, { force: true });
  }
};

/** The key in this file; the first start on an empty home makes one, readable by its owner only. */
export const loadOrCreateMasterKey = async (path: string): Promise<Uint8Array> => {
  const present = await readKey(path);
  if (present !== undefined) return present;
  await createKey(path);
  const created = await readKey(path);
  if (created === undefined) throw unusable('The master key file disappeared while the hub created it.');
  return created;
};

const pendingPath = (path: string): string => `${path}.next`;

/** A key that a rotation wrote down and did not finish with; undefined when there was none. */
export const pendingMasterKey = (path: string): Promise<Uint8Array | undefined> => readKey(pendingPath(path));

/** Writes a key of tomorrow beside that of today, unless there is one: before anything is sealed with it. */
export const announceMasterKey = (path: string): Promise<Uint8Array> => loadOrCreateMasterKey(pendingPath(path));

/** The key of tomorrow takes the place of that of today: nothing needs the old one any more. */
export const establishMasterKey = async (path: string): Promise<void> => {
  try {
    await rename(pendingPath(path), path);
  } catch (thrown) {
    throw unusable('The new master key file could not replace the old one.', thrown);
  }
};
