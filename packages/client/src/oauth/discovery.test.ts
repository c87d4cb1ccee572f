import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuerMetadataPlaces } from './authorization-server.js';
import { discoverAuthorization } from './discover-authorization.js';
import type { OAuthHttp } from './oauth-http.js';
import { canonicalResource, resourceCovers, resourceMetadataPlaces } from './protected-resource.js';

const never = new AbortController().signal;

type Pages = Readonly<Record<string, object | string | Response | (() => Response)>>;

const webOf = (pages: Pages): OAuthHttp & { readonly asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    now: () => 0,
    fetch: async (url) => {
      asked.push(url);
      const page = pages[url];
      if (page === undefined) return new Response('nothing here', { status: 404 });
      if (typeof page === 'function') return page() as Response;
      if (page instanceof Response) return page;
      return typeof page === 'string' ? new Response(page) : Response.json(page);
    },
  };
};

const SERVER = 'https://tools.example/team/mcp';
const AT_PATH = 'https://tools.example/.well-known/oauth-protected-resource/team/mcp';
const AT_ROOT = 'https://tools.example/.well-known/oauth-protected-resource';
const ISSUER = 'https://login.example';
const METADATA = `${ISSUER}/.well-known/oauth-authorization-server`;

const issuerPage = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/token`,
  authorization_endpoint: `${issuer}/authorize`,
  code_challenge_methods_supported: ['S256'],
});
const resourcePage = { resource: SERVER, authorization_servers: [ISSUER], scopes_supported: ['a'] };

const discover = (http: OAuthHttp, challenge?: string) =>
  discoverAuthorization(http, { serverUrl: SERVER, challenge }, never);

describe('where metadata is looked for', () => {
  it('of a server: where the challenge says, then under its path, then at the root', () => {
    expect(resourceMetadataPlaces(SERVER)).toEqual([AT_PATH, AT_ROOT]);
    expect(resourceMetadataPlaces('https://tools.example/')).toEqual([AT_ROOT]);
    expect(resourceMetadataPlaces(SERVER, 'https://tools.example/meta')).toEqual([
      'https://tools.example/meta',
      AT_PATH,
      AT_ROOT,
    ]);
  });

  it('of an authorization server: OAuth before OpenID Connect, paths inserted before appended', () => {
    expect(issuerMetadataPlaces(ISSUER)).toEqual([METADATA, `${ISSUER}/.well-known/openid-configuration`]);
    expect(issuerMetadataPlaces(`${ISSUER}/tenant`)).toEqual([
      `${METADATA}/tenant`,
      `${ISSUER}/.well-known/openid-configuration/tenant`,
      `${ISSUER}/tenant/.well-known/openid-configuration`,
    ]);
  });
});

describe('a resource', () => {
  it('covers itself and what is below it, and nothing else', () => {
    expect(resourceCovers(SERVER, SERVER)).toBe(true);
    expect(resourceCovers('https://tools.example', SERVER)).toBe(true);
    expect(resourceCovers('https://tools.example/team/', SERVER)).toBe(true);
    expect(resourceCovers('https://tools.example/tea', SERVER)).toBe(false);
    expect(resourceCovers('https://evil.example/team/mcp', SERVER)).toBe(false);
    expect(resourceCovers('http://tools.example/team/mcp', SERVER)).toBe(false);
    expect(resourceCovers('not a url', SERVER)).toBe(false);
  });

  it('of another origin never covers a server', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.webUrl(), (resource, server) => {
        fc.pre(new URL(resource).origin !== new URL(server).origin);
        expect(resourceCovers(resource, server)).toBe(false);
      }),
    );
  });

  it('is named without fragment and without the slash of an empty path', () => {
    expect(canonicalResource('https://tools.example/#x')).toBe('https://tools.example');
    expect(canonicalResource('https://tools.example/mcp?x=1')).toBe('https://tools.example/mcp?x=1');
  });
});

describe('discovery', () => {
  it('finds the authorization server of a server', async () => {
    const http = webOf({ [AT_PATH]: resourcePage, [METADATA]: issuerPage(ISSUER) });
    expect(await discover(http)).toEqual({ resource: SERVER, scopesSupported: ['a'], metadata: issuerPage(ISSUER) });
    expect(http.asked).toEqual([AT_PATH, METADATA]);
  });

  it('takes the place that the challenge names', async () => {
    const place = 'https://tools.example/custom.json';
    const http = webOf({ [place]: resourcePage, [METADATA]: issuerPage(ISSUER) });
    await discover(http, `Bearer resource_metadata="${place}"`);
    expect(http.asked[0]).toBe(place);
  });

  it('goes on past pages that are no metadata', async () => {
    const http = webOf({
      [AT_PATH]: '<!doctype html>',
      [AT_ROOT]: { ...resourcePage, resource: 'https://tools.example' },
      [`${ISSUER}/.well-known/openid-configuration`]: issuerPage(ISSUER),
    });
    expect(await discover(http)).toMatchObject({ resource: 'https://tools.example' });
  });

  it('takes the second authorization server when the first cannot be used', async () => {
    const both = { ...resourcePage, authorization_servers: ['https://gone.example', ISSUER] };
    const http = webOf({ [AT_PATH]: both, [METADATA]: issuerPage(ISSUER) });
    expect((await discover(http)).metadata.issuer).toBe(ISSUER);
  });

  it('asks the server itself where there is no metadata of it', async () => {
    const own = 'https://tools.example';
    const http = webOf({ [`${own}/.well-known/oauth-authorization-server`]: issuerPage(own) });
    expect(await discover(http)).toMatchObject({ resource: SERVER, metadata: { issuer: own } });
  });

  it.each([
    ['another issuer', { [AT_PATH]: resourcePage, [METADATA]: issuerPage('https://honest.example') }, 'rejected'],
    ['an issuer with a slash', { [AT_PATH]: resourcePage, [METADATA]: issuerPage(`${ISSUER}/`) }, 'rejected'],
    ['another resource', { [AT_PATH]: { ...resourcePage, resource: 'https://evil.example' } }, 'rejected'],
    [
      'an issuer without TLS',
      { [AT_PATH]: { ...resourcePage, authorization_servers: ['http://login.example'] } },
      'rejected',
    ],
    [
      'an endpoint without TLS',
      { [AT_PATH]: resourcePage, [METADATA]: { ...issuerPage(ISSUER), token_endpoint: 'http://login.example/t' } },
      'rejected',
    ],
    ['no authorization server', { [AT_PATH]: resourcePage }, 'unsupported'],
    [
      'an authorization server that is down',
      { [AT_PATH]: resourcePage, [METADATA]: new Response('', { status: 503 }) },
      'transient',
    ],
    ['more than a megabyte', { [AT_PATH]: 'x'.repeat(2_000_000) }, 'rejected'],
  ])('refuses %s', async (_what, pages: Pages, kind) => {
    await expect(discover(webOf(pages))).rejects.toMatchObject({ kind });
  });

  it('follows redirects inside an origin, and none out of it', async () => {
    const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
    const inside = webOf({
      [AT_PATH]: to('/meta'),
      'https://tools.example/meta': resourcePage,
      [METADATA]: issuerPage(ISSUER),
    });
    expect((await discover(inside)).resource).toBe(SERVER);
    const outside = webOf({ [AT_PATH]: to('https://evil.example/meta'), 'https://evil.example/meta': resourcePage });
    await expect(discover(outside)).rejects.toMatchObject({ kind: 'unsupported' });
    expect(outside.asked).not.toContain('https://evil.example/meta');
    const circle = webOf({ [AT_PATH]: to(AT_PATH) });
    await expect(discover(circle)).rejects.toMatchObject({ kind: 'unsupported' });
  });

  it('says that a host cannot be reached, and heeds the signal', async () => {
    const http: OAuthHttp = { now: () => 0, fetch: () => Promise.reject(new TypeError('fetch failed')) };
    await expect(discover(http)).rejects.toMatchObject({ kind: 'transient', code: 'AUTH_SERVER_UNAVAILABLE' });
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(discoverAuthorization(http, { serverUrl: SERVER }, aborted)).rejects.toThrow('enough');
  });
});
