import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { AuditEntry } from '@plugboard/contract';
import { fakeServer, fakeServerCommand, rawHttpClient } from '@plugboard/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  testCertificate,
  testKey,
} from '../../../packages/client/src/fast-path/http1/test-support/test-certificate.js';
import { createLogger } from '../../../packages/plugboard/src/log/logger.js';
import type { LogLevel } from '../../../packages/plugboard/src/settings/log-level.js';
import { hubCall } from '../../support/hub-call.js';
import { ownerFetch } from '../../support/hub-keys.js';
import { startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';

type Line = Readonly<Record<string, unknown>>;

const SECRET = 'the-argument-2b7e1516';

/** A hub with a legacy server over HTTP and one over stdio, and its log at a level. */
const start = async (level: LogLevel) => {
  const stream = new PassThrough();
  const lines: Line[] = [];
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const whole = (rest + text).split('\n');
    rest = whole.pop() ?? '';
    lines.push(...whole.map((line) => JSON.parse(line) as Line));
  });
  const log = createLogger({ level, destination: stream });
  const web = fakeServer({ tools: ['echo', 'fail'], eras: 'legacy' });
  const { url } = await web.listenHttp();
  const hub = await startRealHub({ log });
  onTestFinished(async () => {
    await hub.close();
    await web.close();
  });
  await addServer(hub, 'web', httpConfig(url));
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  await addServer(hub, 'pipe', { mcp_server_type: 'stdio', command, args });
  const client = (era: 'legacy' | 'modern', path: string) => rawHttpClient(hub.url + path, { era });
  return { hub, web, lines, log, client };
};

const listening = async (server: Pick<Server, 'listen' | 'address'> & NodeJS.EventEmitter): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const requests = (lines: readonly Line[]): readonly Line[] =>
  lines.filter(({ msg, method }) => msg === 'A request was answered.' && method === 'tools/call');
const messages = (lines: readonly Line[], callId: unknown): readonly Line[] =>
  lines.filter(({ level, call_id }) => level === 10 && call_id === callId);

const call = async (client: ReturnType<typeof rawHttpClient>, name: string) =>
  client.request('tools/call', { name, arguments: { text: SECRET } });

describe('the log at debug', () => {
  it('has one line for each request, with its path, ids and eras', async () => {
    const { client, lines } = await start('debug');
    const legacy = client('legacy', '/servers/web/mcp');
    await legacy.initialize();
    await call(legacy, 'echo');
    await call(legacy, 'echo');
    const modern = client('modern', '/servers/web/mcp');
    await call(modern, 'echo');
    await vi.waitUntil(() => requests(lines).length >= 3, 20_000);
    const [first, second, bridged, ...others] = requests(lines);
    expect(others).toEqual([]);
    expect([first?.['path'], first?.['obstacle']]).toEqual(['full', 'connection']);
    expect(second).toMatchObject({
      level: 20,
      server: 'web',
      tool: 'echo',
      outcome: 'ok',
      endpoint: 'server web',
      caller: 'local',
      era: 'legacy',
      path: 'fast',
      upstream_era: 'legacy',
      transport: 'streamable_http',
      session: expect.stringMatching(/^.{8}$/u) as string,
      id: expect.anything() as unknown,
      upstream_id: expect.anything() as unknown,
      duration_ms: expect.any(Number) as number,
    });
    expect(bridged).toMatchObject({ path: 'bridge', obstacle: 'connection', era: 'modern', upstream_era: 'legacy' });
    expect(new Set([first, second, bridged].map((line) => line?.['call_id'])).size).toBe(3);
    expect(lines.filter(({ level }) => level === 10)).toEqual([]);
  });

  it('shows how connections to servers come and go', async () => {
    const { lines, hub } = await start('debug');
    const said = (server: string): readonly unknown[] =>
      lines.filter((line) => line['server'] === server && line['level'] === 20).map(({ msg }) => msg);
    expect(said('web')).toContain('Session opened.');
    expect(said('pipe')).toEqual(expect.arrayContaining(['Program started.', 'Session opened.']));
    await hubCall(hub.url, 'DELETE', `/v1/tools/mcp/servers/pipe`);
    await expect.poll(() => said('pipe'), { timeout: 20_000 }).toContain('Program ended.');
    expect(lines.find(({ server, msg }) => server === 'web' && msg === 'Session opened.')).toMatchObject({
      era: 'legacy',
      revision: '2025-11-25',
      transport: 'streamable_http',
    });
  });

  it('names a failed call in the log, in the audit and in the error answer', async () => {
    const { client, lines, hub } = await start('debug');
    const answer = await call(client('modern', '/servers/web/mcp'), 'none');
    const [line] = requests(lines);
    expect(line).toMatchObject({ outcome: 'TOOL_NOT_FOUND', call_id: expect.any(String) as string });
    const { error } = answer.response as { readonly error: { readonly data: Line } };
    expect(error.data['call_id']).toBe(line?.['call_id']);
    const audit = (await (await ownerFetch(`${hub.url}/v1/audit?kind=call`)).json()) as AuditEntry[];
    expect(audit[0]?.details).toMatchObject({ call_id: line?.['call_id'] });
  });

  it('can be changed while the hub runs', async () => {
    const { client, lines, log } = await start('info');
    const modern = client('modern', '/servers/web/mcp');
    await call(modern, 'echo');
    log.setLevel?.('debug');
    await call(modern, 'echo');
    await vi.waitUntil(() => requests(lines).length >= 2, 20_000);
    expect(new Set(requests(lines).map(({ level }) => level))).toEqual(new Set([20, 30]));
  });
});

describe('the log at trace', () => {
  it('has every message of a call in both directions, on every path, without a value', async () => {
    const { client, lines } = await start('trace');
    const legacy = client('legacy', '/servers/web/mcp');
    await legacy.initialize();
    await call(legacy, 'echo');
    await call(legacy, 'echo');
    await call(client('modern', '/servers/pipe/mcp'), 'echo');
    await vi.waitUntil(() => requests(lines).length >= 3, 20_000);
    expect(requests(lines).map(({ path }) => path)).toEqual(['full', 'fast', 'bridge']);
    for (const request of requests(lines)) {
      const found = messages(lines, request['call_id']);
      expect(found.map(({ direction, peer, kind, method }) => [direction, peer, kind, method])).toEqual([
        ['received', 'client', 'request', 'tools/call'],
        ['sent', 'server', 'request', 'tools/call'],
        ['received', 'server', 'result', undefined],
        ['sent', 'client', 'result', undefined],
      ]);
      expect(found[0]?.['body']).toMatchObject({
        name: 'echo',
        arguments: { text: `text of ${SECRET.length} characters` },
      });
      expect(found.map(({ id }) => id)).toEqual([
        request['id'],
        request['upstream_id'],
        request['upstream_id'],
        request['id'],
      ]);
      expect(found.every(({ bytes }) => Number(bytes) > 20)).toBe(true);
    }
    // The handshakes are there too.
    const greetings = lines.filter(({ level, method }) => level === 10 && method === 'initialize');
    expect(greetings.map(({ direction, peer }) => `${String(direction)} ${String(peer)}`)).toEqual(
      expect.arrayContaining(['received client', 'sent server']),
    );
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });
});

describe('what is wrong with a server', () => {
  it('is a warning, and no error of the hub: a wrong path, a certificate, a variable without a value', async () => {
    const { hub, lines } = await start('info');
    const pages = createServer((_request, response) => response.writeHead(404).end('Not here.'));
    const secure = createTlsServer({ cert: testCertificate, key: testKey }, (_request, response) => response.end());
    const ports = await Promise.all([pages, secure].map(listening));
    onTestFinished(() => {
      for (const server of [pages, secure]) {
        server.closeAllConnections();
        server.close();
      }
    });
    const url = (scheme: string, port: number | undefined): string => `${scheme}://127.0.0.1:${String(port)}/mcp`;
    await addServer(hub, 'lost', httpConfig(url('http', ports[0])));
    await addServer(hub, 'untrusted', httpConfig(url('https', ports[1])));
    await addServer(hub, 'unset', httpConfig(url('http', ports[0]), { custom_headers: { 'X-Key': '{{ NO_VALUE }}' } }));
    const told = lines.filter(({ msg }) => msg === 'The tools of a server could not be synced.');
    expect(told.map(({ level, server }) => [level, server])).toEqual([
      [40, 'lost'],
      [40, 'untrusted'],
      [40, 'unset'],
    ]);
    const reasons = told.map(({ reason }) => String(reason));
    expect(reasons[0]).toContain('404');
    expect(reasons[1]).toMatch(/TLS/u);
    expect(reasons[2]).toContain('NO_VALUE');
    expect(lines.filter(({ level }) => Number(level) > 40)).toEqual([]);
  });
});
