import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { FleetMember } from '@plugboard/registry';
import { afterEach, describe, expect, it } from 'vitest';
import { peerKey } from './peer-proof.js';
import { Peers } from './peers.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Another process that accepts everything, executes it when its body is there, and answers at once or, where the path has `slow`, never. */
const OTHER = `
const { createServer } = require('node:http');
const server = createServer();
const answer = (request, response) =>
  request.resume().on('end', () => {
    console.log('executes ' + request.url);
    if (request.url.includes('begun')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(request.url.includes('half') ? 'data: {' : ': \\n\\n');
    }
    if (!request.url.includes('slow')) response.end('from the other');
  });
const asked = (request, response) => (request.headers['plugboard-peer'] ? answer : (_, end) => end.writeHead(403).end())(request, response);
server.on('request', asked);
server.on('checkContinue', (request, response) => (response.writeContinue(), asked(request, response)));
server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
`;

const startOther = async (): Promise<{
  readonly child: ChildProcess;
  readonly port: number;
  readonly lines: string[];
}> => {
  const child = spawn(process.execPath, ['-e', OTHER], { stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => void lines.push(line));
  const [first] = (await once(reader, 'line')) as [string];
  return { child, lines, port: Number(first.replace('port ', '')) };
};

const setUp = async () => {
  const other = await startOther();
  const member: FleetMember = { id: 'abcdef01', url: `http://127.0.0.1:${other.port}`, version: '1' };
  const members = {
    self: { ...member, id: 'abcdef02' },
    others: () => [member],
    isHeard: () => true,
    forget: () => undefined,
  };
  const peers = new Peers({
    key: peerKey(new Uint8Array(32)),
    members,
    isLocal: () => false,
    addressOf: () => '127.0.0.1',
  });
  closing.push(() => peers.close());
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const outcome = await peers.pass(member, { request, response });
    if (outcome !== 'passed') response.writeHead(503).end(outcome);
  };
  const front = createServer((request, response) => void answer(request, response));
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  closing.push(async () => {
    front.closeAllConnections();
    front.close();
    await once(front, 'close');
  });
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const call = async (path: string, body = path, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(url + path, { method: 'POST', body, headers, signal: AbortSignal.timeout(40_000) });
    return { status: answer.status, text: await answer.text() };
  };
  return { ...other, call };
};

/** It has stopped when the kernel says so. */
const stop = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGSTOP');
  await expect
    .poll(() => readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => ') T '), { timeout: 30_000 })
    .toMatch(/\) T /u);
};

describe('a process that is stopped but not dead', { timeout: 60_000 }, () => {
  it('ends calls that it had with an unknown outcome, on both ways, and keeps none that come later', async () => {
    const { child, lines, call } = await setUp();
    // The first waits for consent, the second is sent without.
    expect([(await call('/one')).text, (await call('/two')).text]).toEqual(['from the other', 'from the other']);
    const slow = [call('/slow'), call('/slow', 'x'.repeat(64 * 1024))];
    await expect.poll(() => lines.filter((line) => line === 'executes /slow')).toHaveLength(2);
    await stop(child);
    const small = call('/small');
    const ambiguous = { status: 502, text: expect.stringContaining('AMBIGUOUS_DELIVERY') as string };
    expect(await Promise.all(slow)).toEqual([ambiguous, ambiguous]);
    // Either it was sent while the process was thought to run, or it was not sent.
    expect(['AMBIGUOUS_DELIVERY', 'unreachable']).toContain(
      /AMBIGUOUS_DELIVERY|unreachable/u.exec((await small).text)?.[0],
    );
    expect(await call('/late')).toEqual({ status: 503, text: 'unreachable' });
    child.kill('SIGCONT');
    await expect.poll(async () => (await call('/again')).text).toBe('from the other');
    expect(lines).not.toContain('executes /late');
  });

  it('fails requests of MCP under their ids, on both ways', async () => {
    const { child, lines, call } = await setUp();
    expect([(await call('/one')).text, (await call('/two')).text]).toEqual(['from the other', 'from the other']);
    const request = (id: number | string | undefined, text = ''): object => ({
      method: 'tools/call',
      params: { name: 'note', arguments: { text } },
      jsonrpc: '2.0',
      id,
    });
    const large = 'x'.repeat(64 * 1024);
    const sent: readonly (readonly [path: string, body: unknown])[] = [
      ['/servers/slow/mcp', request(7)],
      ['/servers/slow/mcp', request('seven', large)],
      ['/mcp?slow', [request(1), request(undefined), request(2)]],
      ['/servers/slow/messages', request(7)],
      ['/servers/slow/mcp', request(undefined)],
      ['/servers/slow/mcp', request(7, large.repeat(5))],
      ['/servers/slow/tools/note', { text: 'x' }],
    ];
    const ends = sent.map(([path, body]) => call(path, JSON.stringify(body)));
    await expect.poll(() => lines.filter((line) => line.includes('slow'))).toHaveLength(sent.length);
    await stop(child);
    const told = (await Promise.all(ends)).map(({ status, text }) => ({ status, body: JSON.parse(text) as unknown }));
    const error = {
      code: -32_015,
      message: expect.stringContaining('may have been executed') as string,
      data: {
        code: 'AMBIGUOUS_DELIVERY',
        message: expect.any(String) as string,
        hint: expect.stringContaining('Check whether it was') as string,
      },
    };
    const failure = (id: unknown) => ({ jsonrpc: '2.0', id, error });
    expect(told).toEqual([
      { status: 200, body: failure(7) },
      { status: 200, body: failure('seven') },
      { status: 200, body: [failure(1), failure(2)] },
      // Its responses come on a stream that is cut off: the status tells its client.
      { status: 502, body: failure(7) },
      // Nobody waits for a response to a notification, and the id of a body that is too large is not known.
      { status: 502, body: failure(null) },
      { status: 502, body: failure(null) },
      {
        status: 502,
        body: {
          error: expect.objectContaining({ code: 'AMBIGUOUS_DELIVERY' }) as object,
          detail: expect.any(String) as string,
        },
      },
    ]);
  });

  it('fails a call of MCP at the end of its event stream, on both ways, and cuts other streams off', async () => {
    const { child, lines, call } = await setUp();
    expect([(await call('/one')).text, (await call('/two')).text]).toEqual(['from the other', 'from the other']);
    const body = (text = '') => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { text } });
    const large = body('x'.repeat(64 * 1024));
    const modern = { 'mcp-method': 'tools/call' };
    const whole = [call('/mcp?slow-begun', body(), modern), call('/mcp?slow-begun', large, modern)];
    const broken = [
      call('/mcp?slow-begun-half', body(), modern),
      call('/mcp?slow-begun-half', large, modern),
      // The client resumes the stream of its session, and opens a subscription again.
      call('/mcp?slow-begun', body()),
      call('/mcp?slow-begun', body(), { 'mcp-method': 'subscriptions/listen' }),
    ].map((ending) =>
      ending.then(
        () => 'ended',
        () => 'cut off',
      ),
    );
    await expect.poll(() => lines.filter((line) => line.includes('begun'))).toHaveLength(6);
    await stop(child);
    for (const { status, text } of await Promise.all(whole)) {
      expect(status).toBe(200);
      expect(text).toMatch(/^: \n\nevent: message\ndata: \{.*"id":7,.*"AMBIGUOUS_DELIVERY".*\}\n\n$/u);
    }
    expect(await Promise.all(broken)).toEqual(['cut off', 'cut off', 'cut off', 'cut off']);
  });
});
