import { createServer as createProxy } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import type { ServerView } from '@plugboard/contract';
import { fakeServer } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub, type RealHubOptions } from '../../support/real-hub.js';
import { testCertificate, testKey } from '../client/test-certificate.js';

const openHub = async (settings: RealHubOptions['settings'] = {}): Promise<RealHub> => {
  const hub = await startRealHub({ settings });
  onTestFinished(() => hub.close());
  return hub;
};

const register = async (hub: RealHub, config: object): Promise<ServerView> => {
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'it', config });
  return json as ServerView;
};

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const openFake = async () => {
  const server = fakeServer({ tools: ['echo', 'sleep'] });
  onTestFinished(() => server.close());
  return { server, url: (await server.listenHttp()).url };
};

const call = (hub: RealHub, tool: string, args: object) =>
  hubCall(hub.url, 'POST', `/servers/it/tools/${tool}`, args) as Promise<{
    readonly status: number;
    readonly json: {
      readonly error?: { readonly message: string; readonly hint?: string; readonly cli_hint?: string };
    };
  }>;

describe('deadlines of one server', () => {
  it.each([
    ['of all its calls', { call: 0.2 }, 'deadlines.call', 'plugboard set it --deadline call=300'],
    ['of one tool', { tools: { sleep: 0.2 } }, 'deadlines.tools.sleep', 'plugboard set it --tool-deadline sleep=300'],
  ])('end a call that takes longer, and name the setting: %s', async (_what, deadlines, setting, command) => {
    const hub = await openHub();
    const { url } = await openFake();
    await register(hub, { mcp_server_type: 'streamable_http', server_url: url, deadlines });
    const { json } = await call(hub, 'sleep', { ms: 20_000 });
    expect(json.error?.message).toContain('did not answer tools/call');
    expect(json.error?.hint).toContain(`The setting ${setting} of "it" ended it.`);
    expect(json.error?.cli_hint).toContain(command);
    expect(json.error?.hint).toContain('PATCH /v1/mcp-servers/');
    expect((await call(hub, 'echo', { text: 'quick' })).status).toBe(200);
  });

  it('let one tool take longer than the others', async () => {
    const hub = await openHub();
    const { url } = await openFake();
    const deadlines = { call: 0.2, tools: { sleep: 30 } };
    const { id } = await register(hub, { mcp_server_type: 'streamable_http', server_url: url, deadlines });
    expect((await call(hub, 'sleep', { ms: 600 })).status).toBe(200);
    const { json } = await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${id}`, {
      config: { deadlines: null, sharing: 'per-client' },
    });
    expect(json).toMatchObject({ deadlines: null, sharing: 'per-client', server_url: url });
  });
});

describe('authorities', () => {
  const openTls = async (): Promise<string> => {
    const { url } = await openFake();
    const target = new URL(url);
    const server = createTlsServer({ key: testKey, cert: testCertificate }, (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => void relay().catch(() => response.destroy()));
      const relay = async (): Promise<void> => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
        ) as Record<string, string>;
        const { method = 'GET' } = request;
        const body = Buffer.concat(parts);
        const answer = await fetch(target, { method, headers, ...(body.length === 0 ? {} : { body }) });
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      };
    });
    return `https://localhost:${await listening(server)}/mcp`;
  };

  it('of one server are trusted for it', async () => {
    const hub = await openHub();
    const server_url = await openTls();
    const { id, sync } = await register(hub, { mcp_server_type: 'streamable_http', server_url });
    expect(sync?.error).toMatchObject({ code: 'UPSTREAM_TLS' });
    await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${id}`, { config: { ca: testCertificate } });
    expect((await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/sync`)).json).toMatchObject({ status: 'ok' });
  });

  it('of the hub are trusted for all', async () => {
    const hub = await openHub({ network: { ca: testCertificate } });
    const { sync } = await register(hub, { mcp_server_type: 'streamable_http', server_url: await openTls() });
    expect(sync).toMatchObject({ status: 'ok' });
  });

  it('are refused when they are none', async () => {
    const hub = await openHub();
    const config = { mcp_server_type: 'streamable_http', server_url: 'http://127.0.0.1:1', ca: 'nothing' };
    const { status, json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'x', config });
    expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining('PEM')]);
  });
});

describe('a proxy', () => {
  const openProxy = async () => {
    const seen: string[] = [];
    const proxy = createProxy((_request, response) => response.writeHead(501).end());
    proxy.on('connect', (request, socket) => {
      seen.push(request.url ?? '');
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      target.on('error', () => socket.destroy());
      socket.on('error', () => target.destroy());
      onTestFinished(() => {
        target.destroy();
        socket.destroy();
      });
    });
    return { url: `http://127.0.0.1:${await listening(proxy)}`, seen };
  };

  it('of one server is used for it, and the hub’s own is not', async () => {
    const proxy = await openProxy();
    const hub = await openHub({ network: { proxy: 'http://127.0.0.1:1' } });
    const { url } = await openFake();
    const { sync } = await register(hub, { mcp_server_type: 'streamable_http', server_url: url, proxy: proxy.url });
    expect(sync).toMatchObject({ status: 'ok' });
    expect(proxy.seen).toContain(new URL(url).host);
  });

  it('of the hub is used for all, unless a server wants none', async () => {
    const proxy = await openProxy();
    const hub = await openHub({ network: { proxy: proxy.url } });
    const { url } = await openFake();
    const { id } = await register(hub, { mcp_server_type: 'streamable_http', server_url: url, proxy: 'none' });
    expect(proxy.seen).toEqual([]);
    await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${id}`, { config: { proxy: null } });
    expect((await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/sync`)).json).toMatchObject({ status: 'ok' });
    expect(proxy.seen).toContain(new URL(url).host);
  });
});

describe('other ways to a server', () => {
  it('reach one that answers on POST /sse', async () => {
    const hub = await openHub();
    const server = fakeServer({ tools: ['echo'] });
    onTestFinished(() => server.close());
    const { url } = await server.listenExternal();
    const { sync } = await register(hub, { mcp_server_type: 'sse', server_url: url, profile: 'post-sse' });
    expect(sync).toMatchObject({ status: 'ok', total: 1 });
    expect((await call(hub, 'echo', { text: 'hé' })).json).toMatchObject({ content: [{ text: 'hé' }] });
  });

  it('wait until a program says that it is well', async () => {
    const hub = await openHub({ environment: { PATH: process.env['PATH'] ?? '' } });
    // It listens at once, and is well at the third question only; asked before, it fails.
    const script = `
      let asked = 0;
      require('node:http').createServer((request, response) => {
        if (request.method === 'GET' && request.url === '/') return response.writeHead((asked += 1) < 3 ? 503 : 200).end();
        if (asked < 3) return response.writeHead(500).end();
        if (request.method !== 'POST') return response.writeHead(405).end();
        let body = '';
        request.on('data', (part) => (body += part));
        request.on('end', () => {
          const { id, method } = JSON.parse(body);
          if (id === undefined) return response.writeHead(202).end();
          const results = {
            initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
            'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
          };
          const result = results[method];
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }));
        });
      }).listen(process.env.PORT, '127.0.0.1');
    `;
    const config = {
      mcp_server_type: 'stdio',
      command: process.execPath,
      args: ['-e', script],
      listen: { health: '/' },
    };
    const { sync } = await register(hub, config);
    expect(sync).toMatchObject({ status: 'ok', total: 1 });
  });
});
