import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';
import type { UrlGuard } from './url-guard.js';

const refusal = new PlugboardError('URL_REFUSED', 'Not there.');

/** Lets URLs pass that the sockets then refuse, as a name does that leads into a private network. */
const guardOf = (refuses: 'url' | 'host'): UrlGuard => ({
  checkUrl: () => {
    if (refuses === 'url') throw refusal;
  },
  checkHost: () => {
    if (refuses === 'host') throw refusal;
  },
  checkResolved: () => undefined,
});

const fetchWith = async (guard: UrlGuard, options: GuardedFetchOptions, url: string): Promise<unknown> => {
  const guarded = createGuardedFetch(guard, options);
  try {
    return await guarded.fetch(url);
  } finally {
    await guarded.close();
  }
};

describe('createGuardedFetch', () => {
  it('refuses a URL before anything is connected, and a host where the connection is made', async () => {
    await expect(fetchWith(guardOf('url'), {}, 'http://host.test/')).rejects.toBe(refusal);
    await expect(fetchWith(guardOf('host'), {}, 'https://host.test/')).rejects.toBe(refusal);
  });

  it('refuses the hub itself to strangers, and judges other hosts where the connection is made', async () => {
    const strangers = { isOwnUrl: (url: URL) => url.host === 'hub.test', isOwnAddress: () => false };
    await expect(fetchWith(guardOf('host'), { strangers }, 'http://hub.test/')).rejects.toMatchObject({
      code: 'URL_REFUSED',
    });
    await expect(fetchWith(guardOf('host'), { strangers }, 'http://other.test/')).rejects.toBe(refusal);
  });

  it('passes other failures on as fetch reports them', async () => {
    const open: UrlGuard = { checkUrl: () => undefined, checkHost: () => undefined, checkResolved: () => undefined };
    const lookup: GuardedFetchOptions['lookup'] = (_host, _options, done) =>
      done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    await expect(fetchWith(open, { lookup, ca: ['pem'] }, 'http://host.test/')).rejects.toThrow('fetch failed');
  });

  it('connects to nothing once it is closed, used before or not', async () => {
    const looked: string[] = [];
    const open: UrlGuard = { checkUrl: () => undefined, checkHost: () => undefined, checkResolved: () => undefined };
    const lookup: GuardedFetchOptions['lookup'] = (host, _options, done) => {
      looked.push(host);
      done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    };
    const [used, unused] = [createGuardedFetch(open, { lookup }), createGuardedFetch(open, { lookup })];
    await expect(used.fetch('http://before.test/')).rejects.toThrow('fetch failed');
    for (const guarded of [used, unused]) {
      await guarded.close();
      await expect(guarded.fetch('http://after.test/')).rejects.toThrow('fetch failed');
    }
    expect(looked).toEqual(['before.test']);
  });
});
