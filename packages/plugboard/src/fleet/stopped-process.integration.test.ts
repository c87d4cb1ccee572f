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

/** Another process that accepts everything, executes it when its body is there, and answers at once or, at `/slow`, never. */
const OTHER = `
const { createServer } = require('node:http');
const server = createServer();
const answer = (request, response) =>
  request.resume().on('end', () => {
    console.log('executes ' + request.url);
    if (request.url !== '/slow') response.end('from the other');
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
  const call = async (path: string, body = path) => {
    const answer = await fetch(url + path, { method: 'POST', body, signal: AbortSignal.timeout(40_000) });
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
});
