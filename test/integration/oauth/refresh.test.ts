import { describe, expect, it } from 'vitest';
import { beginLogin } from '../../support/browser-login.js';
import { hubCall } from '../../support/hub-call.js';
import { urlIn, type ToolAnswer } from '../../support/echo-call.js';
import { oauthRig } from './rig.js';

const texts = (answers: readonly ToolAnswer[]): readonly (string | undefined)[] => answers.map(({ text }) => text);

const many = (count: number, call: (text: string) => Promise<ToolAnswer>): Promise<readonly ToolAnswer[]> =>
  Promise.all(Array.from({ length: count }, (_none, index) => call(`call ${index}`)));

const expected = (count: number): readonly string[] => Array.from({ length: count }, (_none, index) => `call ${index}`);

describe('tokens that ran out', () => {
  it('are renewed once for 50 calls at a time that a server refuses', async () => {
    const rig = await oauthRig();
    await rig.enter();
    rig.authorization.expireAccessTokens();
    expect(texts(await many(50, rig.echo))).toEqual(expected(50));
    expect(rig.authorization.counts.refreshes).toBe(1);
  });

  it('are renewed once for 50 calls at a time before they are sent', async () => {
    const rig = await oauthRig({ authorization: { misbehaviour: { expiresIn: 0 } } });
    const { id, sync } = await rig.register();
    await rig.login(urlIn(sync.error));
    rig.authorization.misbehaviour.expiresIn = undefined;
    rig.authorization.misbehaviour.slowMs = 200;
    await hubCall(rig.hub.url, 'POST', `/v1/mcp-servers/${id}/sync`, {});
    expect(texts(await many(50, rig.echo))).toEqual(expected(50));
    expect(rig.authorization.counts.refreshes).toBe(1);
    // What the hub knew to be over was never sent.
    expect(rig.resource.refused[401]).toBeLessThanOrEqual(2);
  });

  it('are renewed where the server does not say how long they last', async () => {
    const rig = await oauthRig({ authorization: { misbehaviour: { omitExpiresIn: true, tokenStatus: 201 } } });
    await rig.enter();
    expect(await rig.echo('one')).toMatchObject({ text: 'one' });
    rig.authorization.expireAccessTokens();
    expect(await rig.echo('two')).toMatchObject({ text: 'two' });
    expect(rig.authorization.counts.refreshes).toBe(1);
  });

  it.each(['server-error', 'unavailable', 'page'] as const)('survive a refresh that ends in %s', async (refresh) => {
    const rig = await oauthRig();
    await rig.enter();
    rig.authorization.expireAccessTokens();
    rig.authorization.misbehaviour.refresh = refresh;
    const { error } = await rig.echo('fails');
    expect(error?.code).toBe(refresh === 'page' ? 'UPSTREAM_AUTH' : 'AUTH_SERVER_UNAVAILABLE');
    rig.authorization.misbehaviour.refresh = undefined;
    expect(await rig.echo('works')).toMatchObject({ text: 'works' });
    expect(rig.authorization.counts.exchanges).toBe(1);
  });
});

describe('credentials that are no good', () => {
  it('were taken back: says so, and recovers after another login', async () => {
    const rig = await oauthRig();
    await rig.enter();
    rig.authorization.endLogins();
    const { error } = await rig.echo('no');
    expect(error).toMatchObject({
      code: 'UPSTREAM_AUTH_REVOKED',
      hint: expect.stringContaining('authorization_url') as string,
      cli_hint: expect.stringContaining('plugboard login') as string,
    });
    expect(await rig.login(urlIn(error))).toMatchObject({ status: 'success' });
    expect(await rig.echo('yes')).toMatchObject({ text: 'yes' });
  });

  it('have run out and cannot be renewed: says so, and recovers after another login', async () => {
    // Long enough for the first list of tools, also on a slow machine.
    const rig = await oauthRig({ authorization: { accessTokenSeconds: 5, misbehaviour: { omitRefreshToken: true } } });
    await rig.enter();
    await expect
      .poll(() => rig.echo('late').then(({ error }) => error?.code), { timeout: 15_000 })
      .toBe('UPSTREAM_AUTH_EXPIRED');
    const { error } = await rig.echo('late');
    expect(await rig.login(urlIn(error))).toMatchObject({ status: 'success' });
    expect(await rig.echo('in time')).toMatchObject({ text: 'in time' });
  });

  it('are refused although they were just renewed: sends to the login', async () => {
    const rig = await oauthRig();
    await rig.enter();
    const elsewhere = await oauthRig();
    rig.resource.trust(elsewhere.authorization);
    const { error } = await rig.echo('moved');
    expect(error).toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(new URL((await beginLogin(urlIn(error))).url ?? '').origin).toBe(elsewhere.authorization.issuer);
    expect(await rig.login(urlIn(error))).toMatchObject({ status: 'success' });
    expect(elsewhere.authorization.counts.registrations).toBe(1);
    expect(await rig.echo('arrived')).toMatchObject({ text: 'arrived' });
  });

  it('are a wrong client secret: says so, and recovers when it is corrected', async () => {
    const secret = 'the-right-secret-of-the-client';
    const rig = await oauthRig({
      authorization: {
        clients: [
          {
            client_id: 'machine',
            client_secret: secret,
            redirect_uris: [],
            response_types: [],
            grant_types: ['client_credentials'],
          },
        ],
      },
    });
    const { issuer } = rig.authorization;
    const oauth = { grant: 'client_credentials', client_id: 'machine', issuer, scopes: ['mcp:basic'] };
    const { id, sync } = await rig.register({ ...oauth, client_secret: 'a-wrong-secret-of-the-client' });
    expect(sync.error).toMatchObject({
      code: 'UPSTREAM_AUTH',
      hint: expect.stringContaining('client_secret') as string,
    });
    expect(JSON.stringify(sync)).not.toContain('a-wrong-secret');
    const config = { mcp_server_type: 'streamable_http', oauth: { ...oauth, client_secret: secret } };
    expect((await hubCall(rig.hub.url, 'PATCH', `/v1/mcp-servers/${id}`, { config })).status).toBe(200);
    await hubCall(rig.hub.url, 'POST', `/v1/mcp-servers/${id}/sync`, {});
    expect(await rig.echo('right')).toMatchObject({ text: 'right' });
    rig.authorization.expireAccessTokens();
    expect(await rig.echo('renewed')).toMatchObject({ text: 'renewed' });
  });

  it('are a token that was entered by hand: each fault has its code, and a new token is enough', async () => {
    const rig = await oauthRig();
    const { id } = await rig.register({ grant: 'authorization_code' });
    const setToken = (auth_token: string | null) =>
      hubCall(rig.hub.url, 'PATCH', `/v1/mcp-servers/${id}`, {
        config: { mcp_server_type: 'streamable_http', auth_token },
      });
    await setToken('a-token-that-nobody-issued');
    const { json } = await hubCall(rig.hub.url, 'POST', `/v1/mcp-servers/${id}/sync`, {});
    expect(json).toMatchObject({ error: { code: 'UPSTREAM_AUTH', details: { http_status: 401 } } });
    expect(JSON.stringify(json)).not.toContain('a-token-that-nobody-issued');
  });

  it('allow too little: the next login asks for more and keeps what there was', async () => {
    const rig = await oauthRig({
      resource: { scopesFor: (method) => [method === 'tools/call' ? 'mcp:write' : 'mcp:basic'] },
    });
    await rig.enter();
    const { error } = await rig.echo('write');
    expect(error).toMatchObject({ code: 'AUTH_REQUIRED', details: { reason: 'scope' } });
    expect(String(error?.details?.['scope']).split(' ')).toEqual(expect.arrayContaining(['mcp:basic', 'mcp:write']));
    expect(await rig.login(urlIn(error))).toMatchObject({ status: 'success' });
    expect(await rig.echo('write')).toMatchObject({ text: 'write' });
  });

  it('allow too little for ever: nobody is sent to a login that cannot help', async () => {
    const rig = await oauthRig({
      authorization: { scopes: ['mcp:basic', 'mcp:none'] },
      resource: { scopesFor: (method) => (method === 'tools/call' ? ['never:granted'] : ['mcp:basic']) },
    });
    await rig.enter();
    const first = await rig.echo('one');
    expect(first.error?.code).toBe('AUTH_REQUIRED');
    await rig.login(urlIn(first.error));
    const logins = rig.authorization.counts.logins;
    for (let time = 0; time < 3; time += 1) expect((await rig.echo('more')).error?.code).toBe('UPSTREAM_SCOPE');
    expect(rig.authorization.counts.logins).toBe(logins);
  });
});
