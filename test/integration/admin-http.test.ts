import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { errorEnvelope } from '@plugboard/contract';
import { fakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../support/real-hub.js';
import { ownerFetch, ownerHeaders } from '../support/hub-keys.js';

const MEGABYTE = 1024 * 1024;

describe('the admin API on a socket', () => {
  let hub: RealHub;

  beforeAll(async () => {
    hub = await startRealHub();
  });
  afterAll(async () => {
    await hub.close();
  });

  const post = (headers: Record<string, string>) =>
    httpRequest(`${hub.url}/v1/mcp-servers/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...ownerHeaders(hub.url), ...headers },
    });
  const bodyOf = async (answer: IncomingMessage): Promise<unknown> => {
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return JSON.parse(text);
  };
  const openSocket = async (): Promise<Socket> => {
    const { hostname, port } = new URL(hub.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return socket;
  };

  it('refuses an announced 10 MB before any of it is sent', async () => {
    const request = post({ 'Content-Length': String(10 * MEGABYTE) });
    request.on('error', () => undefined);
    request.flushHeaders();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(errorEnvelope.parse(await bodyOf(answer)).error.code).toBe('PAYLOAD_TOO_LARGE');
    request.destroy();
  });

  it('refuses 10 MB that come in chunks, long before their end', async () => {
    const request = post({});
    request.on('error', () => undefined);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    for (let sent = 0; sent < 5; sent += 1) request.write(Buffer.alloc(MEGABYTE, 0x20));
    const [answer] = await answered;
    expect(answer.statusCode).toBe(413);
    request.destroy();
  });

  it('goes on serving others meanwhile', async () => {
    expect((await fetch(`${hub.url}/v1/health`)).status).toBe(200);
  });

  it.each([
    '/v1/mcp-servers/..%2f..%2fetc%2fpasswd',
    '/v1/mcp-servers/../../etc/passwd',
    '/v1/mcp-servers/%2e%2e/%2e%2e/etc',
    '/v1/mcp-servers/%00',
    '/v1/mcp-servers/%zz',
    '//v1/mcp-servers',
    '/v1/tools/mcp/servers/%c0%ae%c0%ae/tools',
  ])('answers GET %s as it stands on the wire', async (target) => {
    const socket = await openSocket();
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /u);
    expect(
      errorEnvelope.parse(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))).error.hint,
    ).toMatch(/\S/u);
  });

  it('ends the attempt of a connect stream when its reader hangs up', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const arrival = once(silent, 'connection') as Promise<[Socket]>;
    const stream = new AbortController();
    const answer = await ownerFetch(`${hub.url}/v1/tools/mcp/servers/connect`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        server_name: 'slow',
        type: 'streamable_http',
        server_url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`,
      }),
      signal: stream.signal,
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('connection_attempt"')) text += (await reader?.read())?.value ?? '';
    const [upstream] = await arrival;
    const released = once(upstream.resume(), 'close');
    stream.abort();
    await released;
    silent.close();
    await once(silent, 'close');
    expect(upstream.destroyed).toBe(true);
  });

  it('streams a connect to its success', async () => {
    const server = fakeServer({ tools: [{ name: 'one', inputSchema: { type: 'object' } }] });
    const { url } = await server.listenHttp();
    try {
      const answer = await ownerFetch(`${hub.url}/v1/tools/mcp/servers/connect`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ server_name: 'fine', type: 'streamable_http', server_url: url }),
      });
      const text = await answer.text();
      expect(text).toMatch(/event: connection_attempt[\s\S]*event: success/u);
      expect(await (await ownerFetch(`${hub.url}/v1/mcp-servers`)).json()).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
