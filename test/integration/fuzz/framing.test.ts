import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { hostileServer, type HostileServer } from '../bounds/hostile-server.js';
import { postMcp, rpc } from '../bounds/legacy-client.js';
import { addServer, httpConfig } from '../gateway/rig.js';
import { mutated, randomOf, repeatedly, SEED } from './mutate.js';

const plain = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const chunked = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n${(body.length + 8).toString(16)}\r\ndata: ${body}\n\n\r\n0\r\n\r\n`;

let hub: RealHub;
let honest: HostileServer;
const internal: unknown[] = [];
const sockets = new Set<Socket>();
const random = randomOf(SEED + 10);

/** Answers calls of tools with bytes that are not quite HTTP, and everything else as it should be. */
const garbler = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
  let read = '';
  socket.on('data', (chunk) => {
    read += chunk.toString('latin1');
    const head = read.indexOf('\r\n\r\n');
    const length = Number(/content-length: *(\d+)/iu.exec(read)?.[1] ?? 0);
    if (head === -1 || read.length < head + 4 + length) return;
    const text = read.slice(head + 4, head + 4 + length);
    read = read.slice(head + 4 + length);
    const { id, method } = (text === '' ? {} : JSON.parse(text)) as { id?: number; method?: string };
    const result = (value: object): string => JSON.stringify({ jsonrpc: '2.0', id, result: value });
    if (id === undefined) {
      socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
    } else if (method === 'initialize') {
      const capabilities = { tools: {} };
      socket.write(
        plain(result({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'g', version: '1' } })),
      );
    } else if (method === 'tools/list') {
      socket.write(plain(result({ tools: [{ name: 'garbled', inputSchema: { type: 'object' } }] })));
    } else {
      const answer = result({ content: [{ type: 'text', text: 'garbled' }] });
      socket.end(mutated(random(2) === 0 ? plain(answer) : chunked(answer), random), 'latin1');
    }
  });
});

beforeAll(async () => {
  honest = await hostileServer({});
  garbler.listen(0, '127.0.0.1');
  await once(garbler, 'listening');
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (...entry: readonly unknown[]) => void internal.push(entry),
  };
  hub = await startRealHub({ log });
  await addServer(hub, 'honest', httpConfig(honest.url));
  await addServer(hub, 'garbler', httpConfig(`http://127.0.0.1:${(garbler.address() as AddressInfo).port}/mcp`));
});
afterAll(async () => {
  await hub.close();
  await honest[Symbol.asyncDispose]();
  for (const socket of sockets) socket.destroy();
  garbler.close();
});

const honestWorks = async (): Promise<void> => {
  const { json } = await postMcp(`${hub.url}/servers/honest/mcp`, rpc(7, 'tools/call', { name: 'plain' }));
  expect(json).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
};

describe('HTTP that is not quite HTTP', () => {
  it('of a client concerns that client only', async () => {
    const { port, host } = new URL(hub.url);
    const body = JSON.stringify(rpc(1, 'tools/call', { name: 'plain' }));
    const request = `POST /servers/honest/mcp HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    await repeatedly({ times: 2000, ms: 8000 }, async (index) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      socket.end(mutated(request, random), 'latin1');
      await once(socket, 'close');
      if (index % 100 === 0) await honestWorks();
    });
    await honestWorks();
    expect(internal).toEqual([]);
  });

  it('of a server is an error of that server', async () => {
    const outcomes = { answered: 0, refused: 0 };
    await repeatedly({ times: 1000, ms: 8000 }, async (index) => {
      const { json } = await postMcp(`${hub.url}/servers/garbler/mcp`, rpc(1, 'tools/call', { name: 'garbled' }));
      expect(json).toMatchObject({ id: 1 });
      outcomes['result' in (json as object) ? 'answered' : 'refused'] += 1;
      if (index % 50 === 0) await honestWorks();
    });
    await honestWorks();
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(internal).toEqual([]);
  });
});
