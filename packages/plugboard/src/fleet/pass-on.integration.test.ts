import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passOn, type PassOutcome } from './pass-on.js';
import { LEASE_HEADER, LOCAL_HEADER, PROOF_HEADER } from './peer-proof.js';
import { Pulse } from './pulse.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const listen = async (handle: Handle): Promise<number> => {
  const server = createServer((request, response) => void handle(request, response));
  server.on('checkContinue', (request, response) => {
    response.writeContinue();
    void handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
};

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
}

/** What the front proves to the peer about every request. */
const PROVEN = { [PROOF_HEADER]: 'of the front' };

let seen: Seen[];
let headersSeen: IncomingHttpHeaders[];
let outcomes: PassOutcome[];
let front: number;

beforeEach(async () => {
  seen = [];
  headersSeen = [];
  outcomes = [];
  const peer = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    headersSeen.push(request.headers);
    seen.push({ method: request.method, url: request.url, body: Buffer.concat(chunks).toString() });
    response.end('from the peer');
  });
  const pulse = new Pulse({ ask: async () => undefined });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closing.push(async () => agent.destroy());
  front = await listen(async (request, response) => {
    const url = `http://127.0.0.1:${peer}`;
    const outcome = await passOn({ request, response, agent, url, headers: PROVEN, pulse });
    outcomes.push(outcome);
    if (outcome !== 'passed') response.writeHead(404).end();
  });
});

/** The answer to a request that is sent as it is. */
const send = async (text: string): Promise<string> => {
  const socket = connect(front, '127.0.0.1');
  closing.push(async () => socket.destroy());
  socket.write(text);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    answer += chunk as string;
    if (/\r\n\r\n/u.test(answer)) break;
  }
  return answer;
};

describe('passOn', () => {
  it.each(['//127.0.0.1:PORT/secret', '/\\127.0.0.1:PORT/secret', 'http://127.0.0.1:PORT/secret'])(
    'never reaches another host: %s',
    async (target) => {
      let reached = false;
      const other = await listen((_request, response) => {
        reached = true;
        response.end('secret');
      });
      const answer = await send(`GET ${target.replace('PORT', String(other))} HTTP/1.1\r\nhost: x\r\n\r\n`);
      expect(answer).not.toContain('secret');
      expect({ reached, outcomes, seen }).toEqual({ reached: false, outcomes: ['refused'], seen: [] });
    },
  );

  it.each(['GET', 'DELETE', 'POST'])('keeps a chunked body of %s one body', async (method) => {
    const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
    const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    await send(`${method} /one HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`);
    await send('GET /two HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(seen).toEqual([
      { method, url: '/one', body: smuggled },
      { method: 'GET', url: '/two', body: '' },
    ]);
  });

  it('removes what a client forged of the channel, in any case and number, and adds its own', async () => {
    const forged = [
      `${PROOF_HEADER}: ffffffff 1 forged`,
      `${LOCAL_HEADER.toUpperCase()}: 1`,
      `${LEASE_HEADER}: server x 1`,
      `${LEASE_HEADER}: server y 1`,
      'x-of-the-client: kept',
    ];
    await send(`GET /one HTTP/1.1\r\nhost: x\r\n${forged.join('\r\n')}\r\n\r\n`);
    const [headers] = headersSeen;
    expect(headers).toMatchObject({ ...PROVEN, 'x-of-the-client': 'kept' });
    expect(headers).not.toHaveProperty(LOCAL_HEADER);
    expect(headers).not.toHaveProperty(LEASE_HEADER);
  });
});
