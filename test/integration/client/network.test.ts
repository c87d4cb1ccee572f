/// <reference lib="esnext.disposable" />
import { createServer as createProxy } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { McpClient, type NetworkOptions } from '@plugboard/client';
import { fakeServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './rig.js';
import { testCertificate, testKey } from './test-certificate.js';

const listen = async (server: Server): Promise<AsyncDisposable & { readonly port: number }> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const clientOf = (url: string, network: NetworkOptions): McpClient =>
  new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: url }, network, maxRetries: 0 });

describe('TLS', () => {
  /** A server that knows one tool, behind a certificate that no authority has signed. */
  const openTls = () =>
    listen(
      createTlsServer({ key: testKey, cert: testCertificate }, (request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          const { id } = JSON.parse(String(Buffer.concat(parts))) as { id: number };
          const result = { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        });
      }),
    );

  test('an unknown authority is refused and named as such', async () => {
    await using server = await openTls();
    await using client = clientOf(`https://localhost:${server.port}/mcp`, {});
    await expect(client.connect()).rejects.toMatchObject({
      code: 'UPSTREAM_TLS',
      delivery: 'not-executed',
      details: { system_error: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
  });

  test('an authority that was given is trusted', async () => {
    await using server = await openTls();
    await using client = clientOf(`https://localhost:${server.port}/mcp`, { ca: testCertificate });
    await client.connect();
    expect(client.protocol?.era).toBe('modern');
  });
});

describe('a proxy', () => {
  const openProxy = async () => {
    const tunnels: string[] = [];
    const proxy = createProxy((_request, response) => response.writeHead(501).end());
    proxy.on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      if (request.headers['proxy-authorization'] === undefined) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      target.on('error', () => socket.destroy());
      socket.on('error', () => target.destroy());
      socket.on('close', () => target.destroy());
    });
    return { ...(await listen(proxy)), tunnels };
  };

  test('is used, with its credentials', async () => {
    await using server = fakeServer({ tools: ['echo'] });
    const { url, port } = await server.listenHttp();
    const proxy = await openProxy();
    await using _proxy = proxy;
    await using client = clientOf(url, { proxy: `http://user:pass@127.0.0.1:${proxy.port}` });
    expect(textOf(await client.callTool('echo', { text: 'through' }))).toBe('through');
    expect(new Set(proxy.tunnels)).toEqual(new Set([`127.0.0.1:${port}`]));
  });

  test('is left aside for hosts that are exempt', async () => {
    await using server = fakeServer({ tools: ['echo'] });
    const { url } = await server.listenHttp();
    const proxy = await openProxy();
    await using _proxy = proxy;
    await using client = clientOf(url, { proxy: `http://127.0.0.1:${proxy.port}`, noProxy: 'example.com,127.0.0.1' });
    expect(textOf(await client.callTool('echo', { text: 'direct' }))).toBe('direct');
    expect(proxy.tunnels).toEqual([]);
  });

  test('that refuses is named, and shows no credentials', async () => {
    await using server = fakeServer({ tools: ['echo'] });
    const { url } = await server.listenHttp();
    const proxy = await openProxy();
    await using _proxy = proxy;
    await using client = clientOf(url, { proxy: `http://127.0.0.1:${proxy.port}` });
    await expect(client.connect()).rejects.toMatchObject({
      code: 'UPSTREAM_REFUSED',
      delivery: 'not-executed',
      message: expect.stringContaining('through the proxy') as string,
    });
  });
});

test('connections are limited and reused', async () => {
  await using server = fakeServer({ eras: 'modern', tools: ['sleep'] });
  const { url } = await server.listenHttp();
  await using client = clientOf(url, { connections: 3 });
  await Promise.all(Array.from({ length: 30 }, () => client.callTool('sleep', { ms: 5 })));
  expect(server.counters.connections).toBeLessThanOrEqual(3);
});

test('a lookup decides which address is used', async () => {
  await using server = fakeServer({ eras: 'modern', tools: ['echo'], allowedHosts: ['somewhere.example'] });
  const { port } = await server.listenHttp();
  const asked: string[] = [];
  await using client = clientOf(`http://somewhere.example:${port}/mcp`, {
    lookup: (host, options, callback) => {
      asked.push(host);
      if (options.all === true) {
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      } else {
        callback(null, '127.0.0.1', 4);
      }
    },
  });
  expect(textOf(await client.callTool('echo', { text: 'here' }))).toBe('here');
  expect(new Set(asked)).toEqual(new Set(['somewhere.example']));
});
