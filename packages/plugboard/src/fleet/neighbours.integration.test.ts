import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Neighbours, smallBody } from './neighbours.js';
import { NOT_HERE, type PassOutcome } from './pass-on.js';
import { LEASE_HEADER, LOCAL_HEADER, PROOF_HEADER } from './peer-proof.js';
import { Pulse } from './pulse.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const listen = async (handle: Handle): Promise<number> => {
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const SAME = { localAddress: '127.0.0.1', remoteAddress: '127.0.0.1' };
const PROVEN = { [PROOF_HEADER]: 'of the front' };
const memberAt = (port: number) => ({ id: 'abcdef01', url: `http://127.0.0.1:${port}`, version: '1' });

const pulse = new Pulse({ ask: async () => undefined });
let outcomes: (PassOutcome | 'not small')[];

/** Passes everything on to a neighbour; what that refuses, it answers with the body that it reads itself. */
const startFront = async (peer: number): Promise<number> => {
  const neighbours = new Neighbours();
  closing.push(() => neighbours.close());
  const member = memberAt(peer);
  neighbours.meet(member, SAME, [member]);
  return listen(async (request, response) => {
    const body = await smallBody({ request }, undefined);
    const outcome =
      body === undefined
        ? 'not small'
        : ((await neighbours.find(member.id)?.pass({ request, response, headers: PROVEN, body, pulse })) ??
          'not small');
    outcomes.push(outcome);
    if (outcome !== 'passed') response.end(`here: ${await textOf(request)}`);
  });
};

beforeEach(() => {
  outcomes = [];
});

const open = (port: number): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  closing.push(async () => socket.destroy());
  return socket;
};

/** What arrives until it contains this text. */
const readUntil = async (socket: Socket, end: RegExp): Promise<string> => {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk as string;
    if (end.test(text)) break;
  }
  return text;
};

const post = (body: string, more: readonly string[] = [], path = '/mcp'): string =>
  [`POST ${path} HTTP/1.1`, 'host: x', `content-length: ${body.length}`, ...more, '', body].join('\r\n');

describe('the fast path to a process on this machine', () => {
  it('passes one request after the other on, with their bodies and without what was forged', async () => {
    const seen: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const sockets = new Set<Socket>();
    const peer = await listen(async (request, response) => {
      sockets.add(request.socket);
      const body = await textOf(request);
      seen.push({ headers: request.headers, body });
      response.writeHead(201, { 'x-of-the-peer': 'kept' }).end(`answer to ${body}`);
    });
    const socket = open(await startFront(peer));
    const forged = [`${PROOF_HEADER}: x`, `${LOCAL_HEADER.toUpperCase()}: 1`, `${LEASE_HEADER}: server x 1`];
    for (const body of ['one', 'two']) {
      socket.write(post(body, [...forged, 'x-of-the-client: kept']));
      const answer = await readUntil(socket, /answer to \w+$/u);
      expect(answer).toMatch(/^HTTP\/1.1 201 [\s\S]*x-of-the-peer: kept\r\n[\s\S]*\r\n\r\nanswer to \w+$/u);
    }
    expect(seen.map(({ body }) => body)).toEqual(['one', 'two']);
    for (const { headers } of seen) {
      expect(headers).toMatchObject({ ...PROVEN, host: 'x', 'content-length': '3', 'x-of-the-client': 'kept' });
      expect(headers).not.toHaveProperty(LOCAL_HEADER);
      expect(headers).not.toHaveProperty(LEASE_HEADER);
    }
    expect(sockets.size).toBe(1);
    expect(outcomes).toEqual(['passed', 'passed']);
  });

  it('waits for a body that arrives in pieces', async () => {
    const peer = await listen(async (request, response) => void response.end(`got ${await textOf(request)}.`));
    const socket = open(await startFront(peer));
    const whole = post('0123456789');
    for (const piece of [whole.slice(0, 30), whole.slice(30, -4), whole.slice(-4, -1), whole.slice(-1)]) {
      await new Promise((written) => socket.write(piece, written));
      await new Promise((next) => setImmediate(next));
    }
    expect(await readUntil(socket, /\.$/u)).toContain('got 0123456789.');
  });

  it('leaves the body for the next reader when the other process refuses', async () => {
    const peer = await listen((_request, response) => void response.writeHead(NOT_HERE, { 'content-length': 0 }).end());
    const socket = open(await startFront(peer));
    for (const body of ['one', 'two']) {
      socket.write(post(body));
      expect(await readUntil(socket, /here: \w+\s*(?:0\r\n\r\n)?$/u)).toContain(`here: ${body}`);
    }
    expect(outcomes).toEqual(['refused', 'refused']);
  });

  it('passes a stream on while it goes on, and ends it when the caller goes away', async () => {
    let ended = false;
    const peer = await listen((request, response) => {
      request.resume();
      response.on('close', () => (ended = true));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
    });
    const socket = open(await startFront(peer));
    socket.write(post('one'));
    expect(await readUntil(socket, /first/u)).toContain('text/event-stream');
    expect(ended).toBe(false);
    socket.destroy();
    await expect.poll(() => ended).toBe(true);
  });

  it('passes a large answer on to a caller that reads slowly', async () => {
    const large = 'x'.repeat(8 * 1024 * 1024);
    const peer = await listen((request, response) => {
      request.resume();
      response.end(large);
    });
    const socket = open(await startFront(peer));
    socket.write(post('one'));
    const text = await readUntil(socket, /x$/u);
    socket.pause();
    let bytes = text.length - text.indexOf('\r\n\r\n') - 4;
    for await (const chunk of socket) {
      bytes += (chunk as string).length;
      if (bytes >= large.length) break;
    }
    expect(bytes).toBe(large.length);
  });

  it('reports an unknown outcome when the other process ends before it answered', async () => {
    const peer = createTcpServer((socket) => void socket.once('data', () => socket.destroy()));
    peer.listen(0, '127.0.0.1');
    await once(peer, 'listening');
    closing.push(async () => void peer.close());
    const socket = open(await startFront((peer.address() as AddressInfo).port));
    socket.write(post('one'));
    expect(await readUntil(socket, /AMBIGUOUS_DELIVERY/u)).toContain('AMBIGUOUS_DELIVERY');
    expect(outcomes).toEqual(['passed']);
  });

  it('notices that nobody listens any more, and leaves the body', async () => {
    const gone = createTcpServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const socket = open(await startFront(port));
    socket.write(post('one'));
    expect(await readUntil(socket, /here: one/u)).toContain('here: one');
    expect(outcomes).toEqual(['gone']);
  });

  it.each(['//127.0.0.1/secret', 'http://127.0.0.1/secret'])('reaches no other target: %s', async (path) => {
    const peer = await listen((_request, response) => void response.end('reached'));
    const socket = open(await startFront(peer));
    socket.write(post('one', [], path));
    expect(await readUntil(socket, /here: one/u)).not.toContain('reached');
    expect(outcomes).toEqual(['refused']);
  });

  it.each<[string, string]>([
    [
      'a body of unknown length',
      'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n',
    ],
    ['a body whose caller waits for consent', post('one', ['expect: 100-continue'])],
    ['no POST', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('is not for %s', async (_case, text) => {
    const peer = await listen((_request, response) => void response.end('reached'));
    const socket = open(await startFront(peer));
    socket.write(text);
    expect(await readUntil(socket, /here: (?:one)?/u)).not.toContain('reached');
    expect(outcomes).toEqual(['not small']);
  });
});

describe('Neighbours', () => {
  const member = memberAt(1);

  it('knows members whose connection has one address at both ends', () => {
    const neighbours = new Neighbours();
    neighbours.meet(member, { localAddress: '10.0.0.1', remoteAddress: '10.0.0.2' }, [member]);
    neighbours.meet(member, {}, [member]);
    expect(neighbours.find(member.id)).toBeUndefined();
    neighbours.meet(member, SAME, [member]);
    expect(neighbours.find(member.id)).toBeDefined();
  });

  it('forgets those that are no members any more when it meets another one', () => {
    const neighbours = new Neighbours();
    const next = { ...member, id: 'abcdef02' };
    neighbours.meet(member, SAME, [member]);
    neighbours.meet(next, SAME, [next]);
    expect(neighbours.find(member.id)).toBeUndefined();
    expect(neighbours.find(next.id)).toBeDefined();
  });
});
