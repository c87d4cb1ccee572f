import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { guardedLookup, type ResolveAll } from './guarded-lookup.js';
import { createUrlGuard } from './url-guard.js';

const guard = createUrlGuard({ mode: 'deny-private', loopback: 'deny' });

/** Answers with one list after the other, as a name server does that changes its mind. */
const changing = (...answers: readonly (readonly LookupAddress[])[]): ResolveAll => {
  let turn = 0;
  return (_host, _options, callback) => {
    const answer = answers[Math.min(turn, answers.length - 1)] ?? [];
    turn += 1;
    callback(null, [...answer]);
  };
};

const ask = (resolve: ResolveAll, all: boolean): Promise<unknown> =>
  new Promise((settle) => {
    guardedLookup(guard, resolve)('rebind.example', { all }, (error, address, family) =>
      settle(error === null ? { address, family } : error),
    );
  });

describe('the lookup of a socket', () => {
  const outside = [{ address: '93.184.216.34', family: 4 }];
  const inside = [{ address: '127.0.0.1', family: 4 }];

  it('hands on the very addresses that were judged', async () => {
    expect(await ask(changing(outside), true)).toEqual({ address: outside, family: undefined });
    expect(await ask(changing(outside), false)).toEqual({ address: '93.184.216.34', family: 4 });
  });

  it('judges each answer: a name that changes its mind is refused', async () => {
    const resolve = changing(outside, inside);
    expect(await ask(resolve, true)).toMatchObject({ address: outside });
    expect(await ask(resolve, true)).toMatchObject({ code: 'URL_REFUSED' });
  });

  it('passes failures on', async () => {
    const failing: ResolveAll = (_host, _options, callback) =>
      callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    expect(await ask(failing, false)).toMatchObject({ code: 'ENOTFOUND' });
  });
});
