import { describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { urlIn } from '../../support/echo-call.js';
import { beginLogin } from '../../support/browser-login.js';
import { oauthRig } from './rig.js';

describe('a server that wants OAuth', () => {
  it('is registered, sends somebody to the login, and serves after it', async () => {
    const rig = await oauthRig();
    const { id, sync } = await rig.register();
    expect(sync.error).toMatchObject({ code: 'AUTH_REQUIRED' });
    const url = urlIn(sync.error);
    expect(url).toMatch(new RegExp(`^${rig.hub.url}/v1/oauth/login/mcp-oauth-`, 'u'));
    const begun = await beginLogin(url);
    expect(Object.fromEntries(new URL(begun.url ?? '').searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: rig.resource.url,
      redirect_uri: expect.stringMatching(
        new RegExp(`^${rig.hub.url}/v1/tools/mcp/oauth/callback/[\\w-]{16}$`, 'u'),
      ) as string,
    });
    expect(await rig.login(url)).toMatchObject({ status: 'success' });
    await hubCall(rig.hub.url, 'PATCH', `/v1/mcp-servers/${id}/refresh`);
    expect(await rig.echo('hello')).toMatchObject({ status: 200, text: 'hello' });
    expect(rig.authorization.counts).toMatchObject({ registrations: 1, exchanges: 1, refreshes: 0 });
  });

  it('sends everybody to one login while nobody has logged in', async () => {
    const rig = await oauthRig();
    const { id, sync } = await rig.register();
    const begun = await Promise.all(
      Array.from({ length: 10 }, () => hubCall(rig.hub.url, 'POST', '/v1/oauth/sessions', { server_id: id })),
    );
    expect(new Set(begun.map(({ status }) => status))).toEqual(new Set([201]));
    const { json } = await hubCall(rig.hub.url, 'GET', `/v1/oauth/sessions?server_id=${id}`);
    expect(json).toMatchObject([{ status: 'pending', authorization_url: urlIn(sync.error) }]);
    expect(begun.map((answer) => answer.json)).toEqual(begun.map(() => (json as readonly unknown[])[0]));
    expect(rig.authorization.counts.registrations).toBe(1);
  });

  it('takes the answer to a login once', async () => {
    const rig = await oauthRig();
    const { sync } = await rig.register();
    const { url, cookie } = await beginLogin(urlIn(sync.error));
    const callback = await rig.authorization.login(url ?? '');
    const first = (await (await fetch(callback, { headers: { cookie } })).json()) as unknown;
    const second = (await (await fetch(callback, { headers: { cookie } })).json()) as unknown;
    expect(first).toMatchObject({ status: 'success' });
    expect(second).toEqual({ status: 'error', message: 'Invalid or expired state parameter.' });
  });

  it.each([
    ['?code=x', 'Missing state parameter.'],
    ['?code=x&state=unknown', 'This login was started in another browser.'],
  ])('answers the callback %s with a sentence', async (query, message) => {
    const rig = await oauthRig();
    const answer = await fetch(`${rig.hub.url}/v1/tools/mcp/oauth/callback${query}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'error', message });
  });

  it('shows people a page that says what happened and holds no code', async () => {
    const rig = await oauthRig();
    const { sync } = await rig.register();
    rig.authorization.decision = 'decline';
    const { url, cookie } = await beginLogin(urlIn(sync.error));
    const callback = await rig.authorization.login(url ?? '');
    const answer = await fetch(callback, { headers: { accept: 'text/html', cookie } });
    const page = await answer.text();
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('The login was refused (access_denied: the person declined).');
    expect(page).not.toContain(new URL(callback).searchParams.get('state') ?? '');
  });

  it.each([
    ['wrong', 'comes from another authorization server'],
    ['omit', 'comes from another authorization server'],
    ['with-slash', 'comes from another authorization server'],
  ] as const)('trusts no answer whose issuer is %s', async (iss, message) => {
    const rig = await oauthRig({ authorization: { misbehaviour: { iss } } });
    const { sync } = await rig.register();
    expect(await rig.login(urlIn(sync.error))).toMatchObject({
      status: 'error',
      message: expect.stringContaining(message) as string,
    });
    expect(rig.authorization.counts.exchanges).toBe(0);
  });

  it('trusts no metadata of another issuer, and no metadata of another resource', async () => {
    const issuer = await oauthRig({ authorization: { misbehaviour: { metadataIssuer: 'https://honest.example' } } });
    expect((await issuer.register()).sync.error).toMatchObject({
      code: 'UPSTREAM_AUTH',
      message: expect.stringContaining('names another issuer') as string,
    });
    const resource = await oauthRig({ resource: { resource: 'https://evil.example/mcp' } });
    expect((await resource.register()).sync.error).toMatchObject({
      code: 'UPSTREAM_AUTH',
      message: expect.stringContaining('another resource') as string,
    });
  });

  it('needs a client by hand where nobody may register, and says so', async () => {
    const client = { client_id: 'by-hand', client_secret: 'a-secret-of-some-length' };
    const rig = await oauthRig({
      authorization: {
        registration: false,
        clients: [
          {
            ...client,
            redirect_uris: ['https://anywhere.example/callback'],
            grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
          },
        ],
      },
    });
    expect((await rig.register(undefined, 'without')).sync.error).toMatchObject({
      code: 'UPSTREAM_AUTH',
      hint: expect.stringContaining('client_id') as string,
    });
    await rig.register({
      grant: 'client_credentials',
      ...client,
      issuer: rig.authorization.issuer,
      scopes: ['mcp:basic'],
    });
    expect(await rig.echo('by itself')).toMatchObject({ text: 'by itself' });
    expect(rig.authorization.counts.clientCredentials).toBe(1);
  });
});
