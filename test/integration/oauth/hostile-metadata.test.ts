import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fakeServer } from '@plugboard/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

/** A server that answers 401, and whose OAuth metadata say whatever it likes. */
interface HostileServer {
  readonly url: string;
  /** Members of its metadata, over harmless ones. */
  metadata: Record<string, unknown>;
  /** Where its challenge sends people. */
  challenge: string | undefined;
  /** Whom it names as its authorization server; itself when left out. */
  issuer?: string;
  readonly received: string[];
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

const startHostileServer = async (): Promise<HostileServer> => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    hostile.received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''} ${body}`);
    const json = (status: number, value: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    const path = request.url ?? '';
    if (path.startsWith('/mcp')) {
      const named = hostile.challenge ?? `${base}/.well-known/oauth-protected-resource/mcp`;
      json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${named}"` });
    } else if (path.startsWith('/.well-known/oauth-protected-resource')) {
      json(200, { resource: `${base}/mcp`, authorization_servers: [hostile.issuer ?? base] });
    } else if (path.startsWith('/.well-known/')) {
      json(200, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        code_challenge_methods_supported: ['S256'],
        ...hostile.metadata,
      });
    } else if (path === '/register') {
      json(201, { client_id: 'c', token_endpoint_auth_method: 'none' });
    } else {
      json(404, {});
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hostile: HostileServer = { url: `${base}/mcp`, metadata: {}, challenge: undefined, received: [] };
  return hostile;
};

let hub: RealHub;
let hostile: HostileServer;
let victim: ReturnType<typeof fakeServer>;
beforeEach(async () => {
  hub = await startRealHub();
  onTestFinished(() => hub.close());
  victim = fakeServer({ tools: ['echo'] });
  onTestFinished(() => victim.close());
  const config = { mcp_server_type: 'streamable_http', server_url: (await victim.listenHttp()).url };
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'victim', config });
  hostile = await startHostileServer();
});

const register = async (oauth?: object) => {
  const config = { mcp_server_type: 'streamable_http', server_url: hostile.url, ...(oauth ? { oauth } : {}) };
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'hostile', config });
  return json as { id: string; sync: { error?: { code: string; message: string; hint?: string } } };
};

describe('metadata that point at the hub itself', () => {
  it.each(['127.0.0.1', 'localhost', '127.0.0.2', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'under the name %s make it call nothing',
    async (host) => {
      const own = hub.url.replace('127.0.0.1', host);
      hostile.metadata = { registration_endpoint: `${own}/servers/victim/tools/echo` };
      expect((await register()).sync.error?.code).toMatch(/^(?:URL_REFUSED|UPSTREAM_AUTH)$/u);
      expect(victim.log.of('tools/call')).toHaveLength(0);
    },
  );

  it('are not even read there', async () => {
    hostile.challenge = `${hub.url}/servers`;
    expect((await register()).sync.error?.code).toBe('URL_REFUSED');
  });
});

describe('metadata that a check of the referee follows', () => {
  const check = async (): Promise<void> => {
    const target = { url: hostile.url, tier: 'standard', only: ['AUT-16'], authorization: { register: true } };
    const { json } = await hubCall(hub.url, 'POST', '/v1/checks', target);
    const { id } = json as { id: string };
    const state = async (): Promise<unknown> =>
      ((await hubCall(hub.url, 'GET', `/v1/checks/${id}`)).json as { state: string }).state;
    await expect.poll(state, { timeout: 50_000, interval: 100 }).toBe('finished');
  };

  it('do not lead to the hub itself', async () => {
    hostile.metadata = {
      registration_endpoint: `${hub.url.replace('127.0.0.1', 'localhost')}/servers/victim/tools/echo`,
    };
    await check();
    expect(hostile.received.some((line) => line.includes('/.well-known/oauth-authorization-server'))).toBe(true);
    expect(victim.log.of('tools/call')).toHaveLength(0);
  });
});

describe('the secret of a client', () => {
  const SECRET = 'a-client-secret-of-some-length';
  const client = { grant: 'client_credentials', client_id: 'by-hand', client_secret: SECRET };

  it('goes to no other authorization server than the one that was configured', async () => {
    const { sync } = await register({ ...client, issuer: 'https://login.example' });
    expect(sync.error).toMatchObject({
      code: 'UPSTREAM_AUTH',
      message: expect.stringContaining('a different authorization server') as string,
    });
    expect(hostile.received.join('\n')).not.toContain(SECRET);
  });

  it('goes nowhere while nobody said where it belongs', async () => {
    const other = await startHostileServer();
    hostile.issuer = new URL(other.url).origin;
    const { sync } = await register(client);
    expect(sync.error).toMatchObject({
      code: 'UPSTREAM_AUTH',
      hint: expect.stringContaining(hostile.issuer) as string,
    });
    expect([...hostile.received, ...other.received].filter((line) => line.includes('/token'))).toEqual([]);
  });

  it('goes where it belongs', async () => {
    const other = await startHostileServer();
    hostile.issuer = new URL(other.url).origin;
    await register({ ...client, issuer: hostile.issuer });
    expect(other.received.some((line) => line.startsWith('POST /token Basic'))).toBe(true);
    expect(hostile.received.some((line) => line.includes('/token'))).toBe(false);
  });
});
