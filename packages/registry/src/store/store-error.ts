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

/** States of Postgres that end the connection: a connection exception, or a server that starts or stops. */
const DISCONNECTED = /^(?:08...|57P0[123])$/u;
/** Every state of Postgres has a digit; codes of the operating system have none (`EPIPE`). */
const STATE = /^(?=.*\d)[\dA-Z]{5}$/u;

/** Could Postgres not be reached, or did the connection break, so that the last statement got no answer? */
export const isConnectionFailure = (thrown: unknown): boolean => {
  if (!(thrown instanceof Error) || thrown instanceof PlugboardError || isMistake(thrown)) return false;
  if (member(thrown, 'errcode') !== undefined) return false;
  const code = member(thrown, 'code');
  return typeof code !== 'string' || !STATE.test(code) || DISCONNECTED.test(code);
};

/** What lasts for a moment: a busy database, a restart, a failover. */
const RETRY_MS = 1000;

const unavailable = (message: string, hint: string, cause: unknown): PlugboardError =>
  new PlugboardError('STORE_UNAVAILABLE', message, { hint, cause });

const unavailableNow = (message: string, hint: string, cause: unknown): PlugboardError =>
  new PlugboardError('STORE_UNAVAILABLE', message, { hint, cause, retryAfterMs: RETRY_MS });

const noRoom = (cause: unknown): PlugboardError =>
  unavailable(
    'The disk is full, so the store cannot be written. Nothing was changed.',
    'Free disk space and try again. Meanwhile calls still work, and stored data can be read.',
    cause,
  );

export const storeIsBusy = (cause?: unknown): PlugboardError =>
  unavailableNow('The store is busy.', 'Another process holds it; try again.', cause);

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
  return unavailableNow(
    'The store did not answer.',
    'Try again in a moment. If it stays like this, check that the database is running and reachable.',
    thrown,
  );
};

/** The connection broke after everything was written and before Postgres said that it is committed. */
export const mayBeSaved = (cause: unknown): PlugboardError =>
  unavailable(
    'The connection to the store broke while a change was being saved. It may have been saved.',
    'Check whether it was, then try again if it was not.',
    cause,
  );
