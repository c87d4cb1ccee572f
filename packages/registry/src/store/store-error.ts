import { PlugboardError, toPlugboardError } from '@plugboard/contract';

// SQLite's primary result codes; the low byte of an extended code is its primary one
const SQLITE = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
  constraintPrimaryKey: 1555,
  constraintUnique: 2067,
};
const POSTGRES = {
  uniqueViolation: '23505',
  readOnly: '25006',
  diskFull: '53100',
  inputOutput: '58030',
  lockTimeout: '55P03',
};

const member = (thrown: unknown, name: string): unknown =>
  typeof thrown === 'object' && thrown !== null ? (thrown as Readonly<Record<string, unknown>>)[name] : undefined;

const WRITE_FAILURES: ReadonlySet<unknown> = new Set([
  SQLITE.readOnly,
  SQLITE.inputOutput,
  SQLITE.corrupt,
  SQLITE.full,
  SQLITE.cannotOpen,
  SQLITE.notADatabase,
  POSTGRES.readOnly,
  POSTGRES.diskFull,
  POSTGRES.inputOutput,
  // of the file system, when the log is flushed
  'EIO',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
]);

/** Cannot the store be written at all? One that is busy, or a connection that broke, does not tell. */
export const isWriteFailure = (thrown: unknown): boolean => {
  const errcode = member(thrown, 'errcode');
  return WRITE_FAILURES.has(typeof errcode === 'number' ? errcode & 0xff : member(thrown, 'code'));
};

/** Did others keep a lock for longer than a statement waits for it? */
export const isLockTimeout = (thrown: unknown): boolean => member(thrown, 'code') === POSTGRES.lockTimeout;

/** A fault of this program, not of the engine. */
const isMistake = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof SyntaxError;

const unavailable = (message: string, hint: string, cause: unknown): PlugboardError =>
  new PlugboardError('STORE_UNAVAILABLE', message, { hint, cause });

const noRoom = (cause: unknown): PlugboardError =>
  unavailable(
    'The disk is full, so the store cannot be written. Nothing was changed.',
    'Free disk space and try again. Meanwhile calls still work, and stored data can be read.',
    cause,
  );

export const storeIsBusy = (cause?: unknown): PlugboardError =>
  unavailable('The store is busy.', 'Another process holds it; try again.', cause);

const fromSqlite = (errcode: number, cause: unknown): PlugboardError => {
  switch (errcode & 0xff) {
    case SQLITE.busy:
    case SQLITE.locked:
      return storeIsBusy(cause);
    case SQLITE.full:
      return noRoom(cause);
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return new PlugboardError('STORE_INCOMPATIBLE', 'The file of the store is damaged or not a database.', {
        hint: 'Restore it from a backup, or move it away to start with an empty one.',
        cause,
      });
    default:
      return unavailable(
        'The store cannot be read or written.',
        'Check the disk and the permissions of the home directory.',
        cause,
      );
  }
};

/** What an engine threw, told apart as far as a caller can act on it. The engine's own text stays in the cause. */
export const toStoreError = (thrown: unknown): PlugboardError => {
  if (thrown instanceof PlugboardError) return thrown;
  const errcode = member(thrown, 'errcode');
  const code = member(thrown, 'code');
  if (
    errcode === SQLITE.constraintPrimaryKey ||
    errcode === SQLITE.constraintUnique ||
    code === POSTGRES.uniqueViolation
  ) {
    return new PlugboardError('CONFLICT', 'An entry with this name already exists.', {
      hint: 'Choose another name, or change the entry that exists.',
      cause: thrown,
    });
  }
  if (code === POSTGRES.diskFull) return noRoom(thrown);
  if (isLockTimeout(thrown)) return storeIsBusy(thrown);
  if (typeof errcode === 'number') return fromSqlite(errcode, thrown);
  if (isMistake(thrown)) return toPlugboardError(thrown);
  return unavailable('The store did not answer.', 'Check that the database is running and reachable.', thrown);
};
