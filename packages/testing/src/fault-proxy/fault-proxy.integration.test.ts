import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeServerCommand } from '../process/command.js';
import { fakeServer, type FakeServer } from '../server/fake-server.js';
import { readLines } from '../transport/line-reader.js';
import { FaultBoard } from './board/fault-board.js';
import type { ProxyFault } from './board/proxy-fault.js';
import { openFaultControl } from './control/control-server.js';
import { openControlledBoard } from './control/controlled-board.js';
import { faultProxy, type FaultProxy } from './fault-proxy.js';
import { faultyProgram } from './line/faulty-program.js';

let server: FakeServer;
let proxy: FaultProxy;
beforeAll(async () => {
  server = fakeServer({ tools: ['echo'], eras: 'modern' });
  proxy = await faultProxy((await server.listenHttp()).url);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const callText = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text }, _meta: META },
  });

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};

const call = async (text: string): Promise<{ readonly status: number; readonly body: string }> => {
  const response = await fetch(proxy.url, {
    method: 'POST',
    headers: HEADERS,
    body: callText(text),
    signal: AbortSignal.timeout(3_000),
  });
  return { status: response.status, body: await response.text() };
};

/** The bytes of a raw connection after one call. */
const rawCall = async (text: string, quietMs: number): Promise<{ readonly bytes: string; readonly ended: boolean }> => {
  const socket = connect(proxy.port, '127.0.0.1');
  const body = callText(text);
  const head = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST ${new URL(proxy.url).pathname} HTTP/1.1\r\nhost: localhost\r\n${head.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  let [bytes, ended] = ['', false];
  socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1')));
  socket.on('end', () => (ended = true));
  socket.on('error', () => (ended = true));
  const quiet = AbortSignal.timeout(quietMs);
  await Promise.race([once(socket, 'close').catch(() => undefined), once(quiet, 'abort')]);
  socket.destroy();
  return { bytes, ended };
};

const once1 = (fault: ProxyFault): ProxyFault => ({ ...fault, match: 'tools/call', times: 1 });

describe('the fault proxy over HTTP', () => {
  test('passes everything on while nothing is armed', async () => {
    const { status, body } = await call('plain');
    expect(status).toBe(200);
    expect(body).toContain('plain');
    expect(proxy.board.deliveriesOf('plain')).toBe(1);
  });

  test('answers a status before the server has the request, and after', async () => {
    proxy.board.arm([once1({ kind: 'status', status: 429, headers: { 'retry-after': '3' }, phase: 'request' })]);
    expect((await call('never-ran')).status).toBe(429);
    expect(proxy.board.deliveriesOf('never-ran')).toBe(0);
    proxy.board.arm([once1({ kind: 'status', status: 502 })]);
    expect((await call('did-run')).status).toBe(502);
    expect(proxy.board.deliveriesOf('did-run')).toBe(1);
    expect((await call('afterwards')).status).toBe(200);
  });

  test('cuts a body short, and sends garbage', async () => {
    proxy.board.arm([once1({ kind: 'truncate' })]);
    await expect(call('cut')).rejects.toThrow('terminated');
    proxy.board.arm([once1({ kind: 'garbage' })]);
    const { body } = await call('garbage');
    expect(() => JSON.parse(body) as unknown).toThrow('JSON');
  });

  test.each([
    ['reset', { kind: 'reset' } as const],
    ['reset before the request', { kind: 'reset', phase: 'request' } as const],
    ['half closed', { kind: 'half-close' } as const],
  ])('lets a connection be %s', async (_name, fault) => {
    proxy.board.arm([once1(fault)]);
    await expect(call('broken')).rejects.toThrow(/fetch failed|terminated/u);
    expect((await call('afterwards')).status).toBe(200);
  });

  test('lets requests disappear without a word', async () => {
    proxy.board.arm([once1({ kind: 'blackhole', phase: 'request' })]);
    expect(await rawCall('lost', 300)).toEqual({ bytes: '', ended: false });
    expect(proxy.board.deliveriesOf('lost')).toBe(0);
  });

  test('sends a second response on the kept connection', async () => {
    proxy.board.arm([once1({ kind: 'surplus' })]);
    const { bytes } = await rawCall('surplus', 500);
    expect(bytes.match(/HTTP\/1\.1 200/gu)).toHaveLength(2);
  });

  test('slows bytes down and cuts them into pieces without losing any', async () => {
    proxy.board.arm([
      { kind: 'latency', ms: 30 },
      { kind: 'slicer', bytes: 16, everyMs: 0 },
    ]);
    expect((await call('sliced')).body).toContain('sliced');
    proxy.board.clear();
  });
});

const line = (id: number, text: string): string => `${callText(text).replace('"id":1', `"id":${id}`)}\n`;

describe('the fault proxy in front of a program', () => {
  const start = (faults: readonly ProxyFault[]) => {
    const { command, args } = fakeServerCommand({ tools: ['echo'], eras: 'modern' });
    const board = new FaultBoard({ faults });
    const program = faultyProgram({ command, args, env: { PATH: process.env['PATH'] ?? '' } }, board);
    return { board, program, lines: readLines(program.stdout) };
  };

  test('adds a line, splits a line and answers twice', async () => {
    const { program, lines } = start([
      { kind: 'garbage-line', times: 1 },
      { kind: 'split', bytes: 3, everyMs: 0, times: 1 },
      { kind: 'duplicate-response', times: 1 },
      { kind: 'garbage', times: 1 },
      { kind: 'stall', ms: 20, times: 1 },
      { kind: 'late-response', ms: 20, times: 1 },
    ]);
    const got: string[] = [];
    for (let id = 1; id <= 6; id += 1) program.stdin.write(line(id, `é${id}`));
    for await (const text of lines) if (got.push(text) === 8) break;
    program.kill('SIGKILL');
    await program.exited;
    expect(got[0]).toContain('not JSON');
    expect(got.filter((text) => text.startsWith('{') && text.includes('é'))).toHaveLength(6);
    expect(got.filter((text) => text.includes('"id":3'))).toHaveLength(2);
  });

  test('kills it before the request, so that nothing ran', async () => {
    const { board, program, lines } = start([{ kind: 'kill', phase: 'request', match: 'lost' }]);
    program.stdin.write(line(1, 'first'));
    expect((await lines.next()).value).toContain('first');
    program.stdin.write(line(2, 'lost'));
    expect(await program.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(board.deliveriesOf('lost')).toBe(0);
  });

  test('tells why a program cannot be started', async () => {
    const program = faultyProgram({ command: '/no/such/program', args: [], env: {} }, new FaultBoard());
    expect((await program.exited).error).toContain('ENOENT');
  });
});

test.each([
  ['/mcp', 'evil.example', 403],
  ['//127.0.0.1:1/admin', '127.0.0.1', 400],
  ['http://127.0.0.1:1/admin', '127.0.0.1', 400],
])('%s for %s is refused', async (path, host, status) => {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(head.toString('latin1')).toContain(`HTTP/1.1 ${status} `);
});

test('a control commands a board elsewhere, and hears of everything', async () => {
  const control = await openFaultControl();
  const controlled = await openControlledBoard(control.address);
  const { board } = controlled;
  await control.arm([{ kind: 'kill', times: 1 }]);
  expect(board.take('x', 'response')?.kind).toBe('kill');
  board.deliver('request');
  await expect.poll(() => [control.board.strikes.length, control.board.deliveriesOf('request')]).toEqual([1, 1]);
  const [place = ''] = control.address.split('/');
  await expect(openControlledBoard(`${place}/wrong`)).rejects.toThrow('closed the connection');
  controlled.close();
  await control.close();
});
