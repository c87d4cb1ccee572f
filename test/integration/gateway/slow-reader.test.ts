import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { META, rawHttpClient } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PATIENCE } from '../../../packages/plugboard/src/settings/patience-settings.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

const EVENTS = 1600;
const EVENT_BYTES = 32 * 1024;
const ALL_BYTES = EVENTS * EVENT_BYTES;
const PADDING = 'x'.repeat(EVENT_BYTES);

type Rpc = {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly name?: string; _meta: Record<string, unknown> };
};

/** A server whose tool `pour` sends far more than anybody may keep, as fast as it is read. */
class PouringServer {
  sent = 0;
  aborted = 0;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const rpc = JSON.parse(body) as Rpc;
    if (rpc.method === 'tools/call' && rpc.params.name === 'pour') await this.#pour(rpc, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.#result(rpc)));
  }

  #result({ id, method }: Rpc): object {
    const tools = ['pour', 'drop'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const results: Record<string, object> = {
      'server/discover': {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      },
      'tools/list': { tools, ttlMs: 0, cacheScope: 'private' },
      'tools/call': { content: [{ type: 'text', text: 'a drop' }] },
    };
    return { jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } };
  }

  async #pour({ id, params }: Rpc, response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const closed = once(response, 'close');
    response.once('close', () => {
      if (!response.writableFinished) this.aborted += 1;
    });
    const progressToken = params._meta['progressToken'];
    for (let progress = 1; progress <= EVENTS && !response.destroyed; progress += 1) {
      const message = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, message: PADDING },
      };
      this.sent += EVENT_BYTES;
      if (!response.write(`data: ${JSON.stringify(message)}\n\n`)) {
        await Promise.race([once(response, 'drain'), closed]);
      }
    }
    response.end(
      `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } })}\n\n`,
    );
  }
}

const pourer = new PouringServer();
let hub: RealHub;
let impatient: RealHub;
beforeAll(async () => {
  const url = await pourer.listen();
  hub = await startRealHub();
  impatient = await startRealHub({ settings: { patience: { ...DEFAULT_PATIENCE, readerMs: 500 } } });
  for (const each of [hub, impatient]) await addServer(each, 'pourer', httpConfig(url));
});
afterAll(async () => {
  await hub.close();
  await impatient.close();
  await pourer.close();
});

/** A client that asks for the flood and decides itself when it reads. */
const pouringClient = (at: RealHub): Socket => {
  const { hostname, port } = new URL(at.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'pour',
      _meta: {
        progressToken: 'p',
        [META.protocolVersion]: '2026-07-28',
        [META.clientCapabilities]: {},
        [META.clientInfo]: { name: 'slow', version: '1' },
      },
    },
  });
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(
    [
      'POST /servers/pourer/mcp HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Accept: application/json, text/event-stream',
      'Content-Type: application/json',
      'MCP-Protocol-Version: 2026-07-28',
      'Mcp-Method: tools/call',
      'Mcp-Name: pour',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  return socket;
};

/** Waits until the server has not been able to send anything for a while. */
const untilStill = async (): Promise<number> => {
  for (let before = -1; before !== pourer.sent || before === 0;) {
    before = pourer.sent;
    await new Promise((next) => setTimeout(next, 200));
  }
  return pourer.sent;
};

const drop = async (at: RealHub): Promise<unknown> => {
  const client = rawHttpClient(new URL('/servers/pourer/mcp', at.url).href, { era: 'modern' });
  return (await client.request('tools/call', { name: 'drop', arguments: {} })).response?.result;
};

describe('a client that does not read', () => {
  it('holds up its own call at the server, costs a bounded amount, and gets everything once it reads', async () => {
    pourer.sent = 0;
    const socket = pouringClient(hub);
    const sent = await untilStill();
    // What is under way is in the buffers of the sockets; the hub itself keeps next to nothing.
    expect(sent).toBeLessThan(ALL_BYTES / 3);
    expect(await drop(hub)).toMatchObject({ content: [{ text: 'a drop' }] });
    let received = 0;
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      tail = (tail + chunk.toString('latin1')).slice(-200);
    });
    socket.resume();
    await expect.poll(() => tail.includes('"content":[]'), { timeout: 30_000 }).toBe(true);
    expect(received).toBeGreaterThan(ALL_BYTES);
    expect(pourer.sent).toBe(ALL_BYTES);
    socket.destroy();
  });

  it('is given up after a while, and its call with it; others go on', async () => {
    pourer.sent = 0;
    const socket = pouringClient(impatient);
    const aborted = pourer.aborted;
    await expect.poll(() => pourer.aborted, { timeout: 20_000 }).toBe(aborted + 1);
    expect(pourer.sent).toBeLessThan(ALL_BYTES / 3);
    expect(await drop(impatient)).toMatchObject({ content: [{ text: 'a drop' }] });
    socket.destroy();
  });
});
