import { describe, expect, it } from 'vitest';
import type { Agent, ApiKeyCreated } from '../../../packages/contract/src/index.js';
import { beginLogin } from '../../support/browser-login.js';
import { hubCallWith } from '../../support/hub-call.js';
import { urlIn } from '../../support/echo-call.js';
import { oauthRig, type OAuthRig } from './rig.js';

const OTHER = 'This login was started in another browser.';

/** An agent that begins a login and would like somebody else to finish it. */
const phisher = async (rig: OAuthRig) => {
  const owner = hubCallWith(rig.hub.url, rig.hub.key);
  const { id } = await rig.register({ sharing: 'per-agent' });
  const agent = (await owner('POST', '/v1/agents', { name: 'phisher', server_ids: [id] })).json as Agent;
  const made = (await owner('POST', '/v1/keys', { name: 'p', agent_id: agent.id })).json as ApiKeyCreated;
  const ask = hubCallWith(rig.hub.url, made.key);
  const { json } = await ask('POST', '/v1/oauth/sessions', { server_id: id });
  const { id: session, authorization_url: url } = json as { id: string; authorization_url: string };
  const status = async () => ((await ask('GET', `/v1/oauth/sessions/${session}`)).json as { status: string }).status;
  return { url, status, key: made.key };
};

const finish = async (callback: string, headers: Record<string, string> = {}) =>
  (await (await fetch(callback, { headers })).json()) as { status: string; message: string };

describe('a login', () => {
  it('cannot be finished by a browser that did not begin it here', async () => {
    const rig = await oauthRig();
    const { url, status } = await phisher(rig);
    // The agent opens the link itself, and sends on where it leads.
    const begun = await beginLogin(url);
    const callback = await rig.authorization.login(begun.url ?? '');
    expect(await finish(callback)).toEqual({ status: 'error', message: OTHER });
    expect(await finish(callback, { cookie: 'plugboard_login_0=x' })).toMatchObject({ message: OTHER });
    expect(rig.authorization.counts.exchanges).toBe(0);
    expect(await status()).toBe('pending');
    expect(await finish(callback, { cookie: begun.cookie })).toMatchObject({ status: 'success' });
  });

  it('cannot be finished with the cookie of another login', async () => {
    const rig = await oauthRig();
    const { sync } = await rig.register();
    const own = await beginLogin(urlIn(sync.error));
    const foreign = await beginLogin(urlIn((await rig.register(undefined, 'second')).sync.error));
    const callback = await rig.authorization.login(own.url ?? '');
    const [name = ''] = own.cookie.split('=');
    const value = foreign.cookie.slice(foreign.cookie.indexOf('='));
    for (const cookie of [foreign.cookie, name + value]) {
      expect(await finish(callback, { cookie })).toMatchObject({ message: OTHER });
    }
    expect(await finish(callback, { cookie: own.cookie })).toMatchObject({ status: 'success' });
  });

  it('can be finished by the program that began it, with its key', async () => {
    const rig = await oauthRig();
    const { url, key } = await phisher(rig);
    const callback = await rig.authorization.login((await beginLogin(url)).url ?? '');
    expect(await finish(callback, { authorization: `Bearer ${key}` })).toMatchObject({ status: 'success' });
  });

  it('tells the person for whom it is before it goes on, and goes on from that page only', async () => {
    const rig = await oauthRig();
    const { url } = await phisher(rig);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    const text = await page.text();
    for (const word of ['the agent &quot;phisher&quot;', 'guarded', rig.authorization.issuer]) {
      expect(text).toContain(word);
    }
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(text).not.toContain('state=');
    const foreign = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []]);
    const agreed = await fetch(url, {
      method: 'POST',
      headers: { origin: rig.hub.url, 'sec-fetch-site': 'same-origin' },
    });
    const cookie = agreed.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/u);
    const next = /url=(?<url>[^"]+)"/u.exec(await agreed.text())?.groups?.['url']?.replaceAll('&amp;', '&') ?? '';
    const callback = await rig.authorization.login(next);
    expect(await finish(callback, { cookie: cookie.split(';')[0] ?? '' })).toMatchObject({ status: 'success' });
  });
});

describe('an authorization server that sends people on to another one', () => {
  it('gets no code of it: each has a place of its own to come back to', async () => {
    const rig = await oauthRig();
    const { sync } = await rig.register();
    const { url, cookie } = await beginLogin(urlIn(sync.error));
    const callback = new URL(await rig.authorization.login(url ?? ''));
    const other = callback.pathname.replace(/[^/]+$/u, 'another-issuer--');
    for (const path of [other, '/v1/tools/mcp/oauth/callback']) {
      const mixed = new URL(path + callback.search, rig.hub.url).href;
      const answer = await finish(mixed, { cookie });
      expect(answer).toMatchObject({ status: 'error', message: expect.stringMatching(/another|state/u) as string });
    }
    expect(rig.authorization.counts.exchanges).toBe(0);
  });

  it('is another place for every issuer, and the same for one', async () => {
    const [first, second] = [await oauthRig(), await oauthRig()];
    const placeOf = async (rig: OAuthRig, name: string) => {
      const begun = await beginLogin(urlIn((await rig.register(undefined, name)).sync.error));
      return new URL(new URL(begun.url ?? '').searchParams.get('redirect_uri') ?? '').pathname;
    };
    const places = [await placeOf(first, 'one'), await placeOf(first, 'two'), await placeOf(second, 'one')];
    expect(places[0]).toBe(places[1]);
    expect(places[0]).not.toBe(places[2]);
  });
});
