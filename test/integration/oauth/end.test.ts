import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { beginLogin } from '../../support/browser-login.js';
import { hubCall } from '../../support/hub-call.js';
import { urlIn } from '../../support/echo-call.js';
import { oauthRig } from './rig.js';
import { ownerFetch } from '../../support/hub-keys.js';

interface ConnectFrame {
  readonly event: string;
  readonly url?: string;
  readonly session_id?: string;
  readonly tools?: readonly { readonly name: string }[];
}

/** Reads a connect stream and hands every event to `onEvent` as it comes. */
const watch = async (response: Response, onEvent: (frame: ConnectFrame) => void): Promise<readonly ConnectFrame[]> => {
  const frames: ConnectFrame[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/mu.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data === undefined) continue;
      const frame = JSON.parse(data) as ConnectFrame;
      frames.push(frame);
      onEvent(frame);
    }
  }
  return frames;
};

const SEQUENCE = ['connection_attempt', 'oauth_required', 'authorization_url', 'waiting_for_auth'];

describe('the connect stream', () => {
  it('sends somebody to the login and succeeds when they come back', async () => {
    const rig = await oauthRig();
    const { id } = await rig.register();
    const response = await ownerFetch(`${rig.hub.url}/v1/mcp-servers/connect/${id}`);
    const frames = await watch(response, ({ event, url }) => {
      if (event === 'authorization_url') void rig.login(url ?? '');
    });
    expect(frames.map(({ event }) => event)).toEqual([...SEQUENCE, 'success']);
    expect(frames.at(-1)?.tools?.map(({ name }) => name)).toEqual(['echo']);
  });

  it('ends with the reason when they decline', async () => {
    const rig = await oauthRig();
    const { id } = await rig.register();
    rig.authorization.decision = 'decline';
    const response = await ownerFetch(`${rig.hub.url}/v1/mcp-servers/connect/${id}`);
    const frames = await watch(response, ({ event, url }) => {
      if (event === 'authorization_url') void rig.login(url ?? '');
    });
    expect(frames.map(({ event }) => event)).toEqual([...SEQUENCE, 'error']);
    expect(frames.at(-1)).toMatchObject({ message: expect.stringContaining('access_denied') as string });
  });

  it('is taken up again by whoever connects before the login is over', async () => {
    const rig = await oauthRig();
    const { id } = await rig.register();
    const urls: (string | undefined)[] = [];
    const leaving = new AbortController();
    const first = await ownerFetch(`${rig.hub.url}/v1/mcp-servers/connect/${id}`, { signal: leaving.signal });
    await watch(first, ({ event, url }) => {
      if (event === 'authorization_url') urls.push(url);
      if (event === 'waiting_for_auth') leaving.abort();
    }).catch(() => undefined);
    const second = await ownerFetch(`${rig.hub.url}/v1/mcp-servers/connect/${id}`);
    const frames = await watch(second, ({ event, url }) => {
      if (event !== 'authorization_url') return;
      urls.push(url);
      void rig.login(url ?? '');
    });
    expect(frames.at(-1)?.event).toBe('success');
    expect(urls[0]).toBe(urls[1]);
  });

  it('works for a server that is not registered, and registering it takes the login over', async () => {
    const rig = await oauthRig();
    const response = await ownerFetch(`${rig.hub.url}/v1/tools/mcp/servers/connect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ server_name: 'later', type: 'streamable_http', server_url: rig.resource.url }),
    });
    const frames = await watch(response, ({ event, url }) => {
      if (event === 'authorization_url') void rig.login(url ?? '');
    });
    expect(frames.map(({ event }) => event)).toEqual([...SEQUENCE, 'success']);
    const { sync } = await rig.register();
    expect(sync.status).toBe('ok');
    expect(await rig.echo('adopted')).toMatchObject({ text: 'adopted' });
    expect(rig.authorization.counts.exchanges).toBe(1);
  });

  it('asks nobody to log in to a server that is down', async () => {
    const rig = await oauthRig();
    const { id } = await rig.register();
    await rig.resource.close();
    const frames = await watch(await ownerFetch(`${rig.hub.url}/v1/mcp-servers/connect/${id}`), () => undefined);
    expect(frames.map(({ event }) => event)).toEqual(['connection_attempt', 'error']);
  });
});

describe('a login', () => {
  it('can be waited for', async () => {
    const rig = await oauthRig();
    const { id } = await rig.register();
    const begun = await hubCall(rig.hub.url, 'POST', '/v1/oauth/sessions', { server_id: id });
    const session = begun.json as { id: string; authorization_url: string };
    const waiting = hubCall(rig.hub.url, 'GET', `/v1/oauth/sessions/${session.id}?wait_ms=30000`);
    await rig.login(session.authorization_url);
    expect((await waiting).json).toMatchObject({ id: session.id, status: 'authorized' });
  });

  it('that was ended cannot be completed', async () => {
    const rig = await oauthRig();
    const { id } = await rig.register();
    const begun = await hubCall(rig.hub.url, 'POST', '/v1/oauth/sessions', { server_id: id });
    const session = begun.json as { id: string; authorization_url: string };
    expect((await hubCall(rig.hub.url, 'DELETE', `/v1/oauth/sessions/${session.id}`)).status).toBe(204);
    expect(await rig.login(session.authorization_url)).toMatchObject({ status: 'error' });
    expect((await hubCall(rig.hub.url, 'GET', `/v1/oauth/sessions/${session.id}`)).status).toBe(404);
  });

  it('ends with a logout: the tokens are taken back, and the next call sends to a new login', async () => {
    const rig = await oauthRig();
    const id = await rig.enter();
    const [token = ''] = rig.authorization.accessTokens;
    expect((await hubCall(rig.hub.url, 'DELETE', `/v1/mcp-servers/${id}/oauth`)).json).toEqual({ logged_out: true });
    expect(rig.authorization.counts.revocations).toBe(2);
    expect(await rig.authorization.introspect(token)).toBeUndefined();
    expect((await rig.echo('out')).error?.code).toBe('AUTH_REQUIRED');
    expect((await hubCall(rig.hub.url, 'DELETE', `/v1/mcp-servers/${id}/oauth`)).json).toEqual({ logged_out: false });
  });

  it('ends with its server, also when the authorization server cannot take tokens back', async () => {
    const rig = await oauthRig({ authorization: { misbehaviour: { revocation: 'server-error' } } });
    const id = await rig.enter();
    expect((await hubCall(rig.hub.url, 'DELETE', `/v1/mcp-servers/${id}`)).status).toBe(204);
    expect(rig.authorization.counts.revocations).toBe(1);
    expect((await hubCall(rig.hub.url, 'GET', '/v1/oauth/sessions')).json).toEqual([]);
    expect((await rig.register()).sync.error?.code).toBe('AUTH_REQUIRED');
  });

  it('is not used for another URL', async () => {
    const rig = await oauthRig();
    const other = await oauthRig();
    const id = await rig.enter();
    const config = { mcp_server_type: 'streamable_http', server_url: other.resource.url };
    await hubCall(rig.hub.url, 'PATCH', `/v1/mcp-servers/${id}`, { config });
    const { error } = await rig.echo('elsewhere');
    expect(error?.code).toBe('AUTH_REQUIRED');
    expect(new URL((await beginLogin(urlIn(error))).url ?? '').origin).toBe(other.authorization.issuer);
    expect([...other.resource.tokensSeen]).toEqual([]);
  });

  it('registers anew where the client was forgotten', async () => {
    const rig = await oauthRig();
    await rig.enter();
    rig.authorization.forgetClients();
    rig.authorization.endLogins();
    const { error } = await rig.echo('forgotten');
    expect(error?.code).toBe('UPSTREAM_AUTH_REVOKED');
    expect(await rig.login(urlIn(error))).toMatchObject({ status: 'success' });
    expect(await rig.echo('known')).toMatchObject({ text: 'known' });
    expect(rig.authorization.counts.registrations).toBe(2);
  });
});

describe('who the hub is', () => {
  it('is said by its metadata document where that is understood', async () => {
    const url = 'https://hub.example/client.json';
    let callback = '';
    const rig = await oauthRig({
      authorization: {
        registration: false,
        clientDocument: async () => ({
          client_id: url,
          redirect_uris: [callback],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          application_type: 'native',
        }),
      },
      settings: { clientMetadataUrl: url },
    });
    callback = `${rig.hub.url}/v1/tools/mcp/oauth/callback`;
    await rig.enter();
    expect(await rig.echo('documented')).toMatchObject({ text: 'documented' });
  });

  it('is proved by a private key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const rig = await oauthRig({
      authorization: {
        clients: [
          {
            client_id: 'signer',
            token_endpoint_auth_method: 'private_key_jwt',
            jwks: { keys: [publicKey.export({ format: 'jwk' })] },
            redirect_uris: [],
            response_types: [],
            grant_types: ['client_credentials'],
          },
        ],
      },
    });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const { id } = await rig.register({
      grant: 'client_credentials',
      client_id: 'signer',
      issuer: rig.authorization.issuer,
      private_key,
      scopes: ['mcp:basic'],
    });
    expect(await rig.echo('signed')).toMatchObject({ text: 'signed' });
    const shown = await hubCall(rig.hub.url, 'GET', `/v1/mcp-servers/${id}`);
    expect(shown.json).toMatchObject({ oauth: { client_id: 'signer', private_key: '••••' } });
  });
});
