import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { inspect } from 'node:util';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveSettings } from './resolve-settings.js';

const SECRET = 'canary-of-the-introspection';
const introspection = { endpoint: 'https://login.example/introspect', clientId: 'hub' };
const oauth = { issuer: 'https://login.example', audience: 'https://hub.example' };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-access-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const resolved = async (access: object, environment: Readonly<Record<string, string>> = {}) => {
  await writeFile(join(home, 'plugboard.json'), JSON.stringify({ access }));
  return resolveSettings({ flags: { home }, environment, cwd: home, userHome: home });
};

describe('where tokens are introspected', () => {
  it('has its secret from the environment, or from a file beside the settings', async () => {
    const fromEnvironment = await resolved(
      { oauth: { ...oauth, introspection } },
      { PLUGBOARD_INTROSPECTION_SECRET: SECRET },
    );
    await writeFile(join(home, 'secret'), `${SECRET}\n`);
    const fromFile = await resolved({
      oauth: { ...oauth, introspection: { ...introspection, clientSecretFile: 'secret', cacheSeconds: 5 } },
    });
    for (const { access } of [fromEnvironment, fromFile]) {
      expect(access.oauth?.introspection?.clientSecret.reveal()).toBe(SECRET);
      expect(inspect(access, { depth: 10 })).not.toContain(SECRET);
    }
    expect(fromEnvironment.access.oauth).toMatchObject({ jwksUri: undefined, introspection: { cacheSeconds: 30 } });
    expect(fromFile.access.oauth?.introspection?.cacheSeconds).toBe(5);
  });

  it.each([
    ['no secret', { oauth: { ...oauth, introspection } }, 'no client secret'],
    [
      'a file that is not there',
      { oauth: { ...oauth, introspection: { ...introspection, clientSecretFile: 'none' } } },
      'cannot be read',
    ],
    ['neither keys nor a place to ask', { oauth }, 'jwksUri, introspection, or both'],
    [
      'a place in clear',
      { oauth: { ...oauth, introspection: { ...introspection, endpoint: 'http://a.example' } } },
      'https',
    ],
    [
      'a place whose name only begins like this machine',
      { oauth: { ...oauth, introspection: { ...introspection, endpoint: 'http://localhost.a.example' } } },
      'https',
    ],
    ['an issuer that only begins like this machine', { oauth: { ...oauth, issuer: 'http://127.a.example' } }, 'https'],
  ])('is refused with %s', async (_what, access, message) => {
    await expect(resolved(access)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('the proxies that are trusted', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])('may be %s', async (proxy) => {
    expect((await resolved({ trustProxy: [proxy] })).access.trustProxy).toEqual([proxy]);
  });

  it.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129', '10.0.0.0/-1'])(
    'may not be "%s"',
    async (proxy) => {
      await expect(resolved({ trustProxy: [proxy] })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    },
  );
});
