import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { hasErrorCode } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { formatLock, type LockFile, parseLock } from '@plugboard/schema';

/** The lock file at this path; undefined when there is none. */
export const readLock = async (path: string): Promise<LockFile | undefined> => {
  let text = '';
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if (hasErrorCode(cause, 'ENOENT')) return undefined;
    throw new PlugboardError('CONFIG_INVALID', `The lock file ${path} cannot be read.`, {
      hint: 'Check the path and its permissions.',
      cause,
    });
  }
  return parseLock(text);
};

/** Writes beside the file and renames, so that nobody reads half of it. */
export const writeLock = async (path: string, lock: LockFile): Promise<void> => {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, formatLock(lock));
    await rename(beside, path);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new PlugboardError('INVALID_ARGUMENT', `The lock file ${path} cannot be written.`, {
      hint: 'Check that its directory exists and is writable, or give another file with --lock.',
      cause,
    });
  }
};
