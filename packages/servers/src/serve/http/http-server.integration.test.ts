import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runServer } from '../run-server.js';
import { testProgram } from '../test-support/test-program.js';
import { openHttpServer } from './http-server.js';

const ADDRESS = { host: '127.0.0.1', port: 0, allowHosts: [], allowOrigins: [] };

const open = async (address = ADDRESS) => {
  const program = testProgram();
  const parts = await program.open({ values: {}, env: {}, cwd: '/', log: () => undefined });
  const server = await openHttpServer(address, { program, parts, log: () => undefined });
  onTestFinished(server.close);
  return server;
};

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

const post = (url: string, body: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    signal: signal ?? null,
  });

describe('the HTTP server', () => {
  it('answers over sockets and refuses bodies that are too large', async () => {
    const { url } = await open();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await post(url, rpc('tools/list'))).status).toBe(200);
    expect((await post(url, rpc('tools/list', { x: 'y'.repeat(20_000) }))).status).toBe(413);
  });

  it('opens a stream at once, though nothing is to be said', async () => {
    const { url } = await open();
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const session = (await post(url, rpc('initialize', hello))).headers.get('mcp-session-id') ?? '';
    const leaving = new AbortController();
    const stream = await fetch(`${url}/mcp`, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session },
      signal: leaving.signal,
    });
    expect(stream.status).toBe(200);
    leaving.abort();
  });

  it('ends with streams open and calls under way', async () => {
    const server = await open();
    const leaving = new AbortController();
    const stream = await fetch(`${server.url}/mcp`, {
      headers: { accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    const reader = stream.body?.getReader();
    await reader?.read();
    await server.close();
    expect(await reader?.read()).toMatchObject({ done: true });
    await expect(fetch(`${server.url}/health`)).rejects.toThrow('fetch failed');
  });

  it('listens on IPv6 addresses under a URL that can be used', async () => {
    const server = await open({ ...ADDRESS, host: '::1' });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it('warns whoever opens it to others', async () => {
    const stderr = new PassThrough();
    const stop = new AbortController();
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    const argv = ['--transport', 'http', '--port', '0', '--host', '0.0.0.0'];
    const running = runServer(testProgram(), { argv, env: {}, cwd: '/', ...streams, signal: stop.signal });
    let said = '';
    stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said).toContain('no access control');
    stop.abort();
    expect(await running).toBe(0);
  });

  it('says that a port is taken: exit code 1', async () => {
    const { port } = await open();
    const stderr = new PassThrough();
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    const argv = ['--transport', 'http', '--port', String(port)];
    const process = { argv, env: {}, cwd: '/', ...streams, signal: new AbortController().signal };
    expect(await runServer(testProgram(), process)).toBe(1);
    expect(String(stderr.read())).toContain('the port is in use');
  });
});
