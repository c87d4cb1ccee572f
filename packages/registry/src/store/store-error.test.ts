import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { isConnectionFailure, isWriteFailure, mayBeSaved, toStoreError } from './store-error.js';

describe('toStoreError', () => {
  it.each<[string, unknown, string]>([
    ['a unique violation of SQLite', { errcode: 2067 }, 'CONFLICT'],
    ['a primary key violation of SQLite', { errcode: 1555 }, 'CONFLICT'],
    ['a unique violation of Postgres', { code: '23505' }, 'CONFLICT'],
    ['a busy file', { errcode: 5 }, 'STORE_UNAVAILABLE'],
    ['a busy snapshot', { errcode: 517 }, 'STORE_UNAVAILABLE'],
    ['a locked table', { errcode: 6 }, 'STORE_UNAVAILABLE'],
    ['a full disk', { errcode: 13 }, 'STORE_UNAVAILABLE'],
    ['a full disk of Postgres', { code: '53100' }, 'STORE_UNAVAILABLE'],
    ['a damaged file', { errcode: 11 }, 'STORE_INCOMPATIBLE'],
    ['a file that is no database', { errcode: 26 }, 'STORE_INCOMPATIBLE'],
    ['a refused connection', { code: 'ECONNREFUSED' }, 'STORE_UNAVAILABLE'],
    ['a timeout without a code', new Error('timeout'), 'STORE_UNAVAILABLE'],
    ['a mistake of ours', new TypeError('x is not a function'), 'INTERNAL'],
    ['no error at all', 'text', 'STORE_UNAVAILABLE'],
  ])('tells %s', (_case, thrown, code) => {
    expect(toStoreError(thrown)).toMatchObject({ code });
  });

  it.each([{ errcode: 13 }, { code: '53100' }])('says that there is no room (%o)', (thrown) => {
    expect(toStoreError(thrown)).toMatchObject({ message: expect.stringContaining('disk is full') as string });
  });

  it.each<[string, unknown, number | undefined]>([
    ['a busy file', { errcode: 5 }, 1000],
    ['a lock that others keep', { code: '55P03' }, 1000],
    ['a refused connection', { code: 'ECONNREFUSED' }, 1000],
    ['a full disk', { code: '53100' }, undefined],
    ['a change that may have been saved', mayBeSaved(new Error('closed')), undefined],
  ])('says when to try again after %s', (_case, thrown, retryAfterMs) => {
    expect(toStoreError(thrown)).toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfterMs });
  });

  it('leaves an error of ours as it is', () => {
    const error = new PlugboardError('SERVER_NOT_FOUND', 'x');
    expect(toStoreError(error)).toBe(error);
  });
});

describe('isWriteFailure', () => {
  it.each<[string, unknown, boolean]>([
    ['a full disk', { errcode: 13 }, true],
    ['a read-only file', { errcode: 8 }, true],
    ['a directory that became read-only', { errcode: 1544 }, true],
    ['a write that the disk refused', { errcode: 778 }, true],
    ['a log that cannot be flushed', { code: 'ENOSPC' }, true],
    ['a full disk of Postgres', { code: '53100' }, true],
    ['a standby of Postgres', { code: '25006' }, true],
    ['a busy file', { errcode: 5, code: 'ERR_SQLITE_ERROR' }, false],
    ['a name that is taken', { errcode: 2067 }, false],
    ['a refused connection', { code: 'ECONNREFUSED' }, false],
    ['nothing known', undefined, false],
  ])('tells %s', (_case, thrown, expected) => {
    expect(isWriteFailure(thrown)).toBe(expected);
  });
});

describe('isConnectionFailure', () => {
  const coded = (code: string): Error => Object.assign(new Error('x'), { code });
  it.each<[string, unknown, boolean]>([
    ['a connection that ended', new Error('Connection terminated unexpectedly'), true],
    ['a refused connection', coded('ECONNREFUSED'), true],
    ['a pipe that broke', coded('EPIPE'), true],
    ['a server that stops', coded('57P01'), true],
    ['a server that starts', coded('57P03'), true],
    ['a lock timeout', coded('55P03'), false],
    ['a name that is taken', coded('23505'), false],
    ['an error of SQLite', Object.assign(coded('ERR_SQLITE_ERROR'), { errcode: 13 }), false],
    ['a mistake of ours', new TypeError('x is not a function'), false],
    ['an error of ours', new PlugboardError('STORE_UNAVAILABLE', 'x'), false],
  ])('tells %s', (_case, thrown, expected) => {
    expect(isConnectionFailure(thrown)).toBe(expected);
  });
});
