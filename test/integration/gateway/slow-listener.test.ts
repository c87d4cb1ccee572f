import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { ALL_BYTES, expectAllInOrder, PouringServer } from './pouring-server.js';
import { addServer } from './rig.js';

const pourer = new PouringServer();
let hub: RealHub;
beforeAll(async () => {
  await pourer.listen();
  hub = await startRealHub();
  await addServer(hub, 'sse', pourer.sse);
  await addServer(hub, 'shared', { ...pourer.sse, sharing: 'shared' });
  await addServer(hub, 'get', pourer.streamable);
});
afterAll(async () => {
  await hub.close();
  await pourer.close();
});
beforeEach(() => {
  pourer.sent = 0;
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: object;
}

/** Nothing of the body is read before somebody asks for it. */
const open = (path: string, { method = 'POST', headers, message }: Asked): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const body = message === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', ...message });
    const accept = 'application/json, text/event-stream';
    const request = httpRequest(
      new URL(path, hub.url),
      { method, agent: false, headers: { accept, 'content-type': 'application/json', ...headers } },
      resolve,
    );
    request.on('error', reject).end(body);
  });

const textOf = async (response: IncomingMessage, until?: string): Promise<string> => {
  const read: string[] = [];
  response.setEncoding('utf8');
  for await (const chunk of response) {
    const before = read.at(-1)?.slice(-100) ?? '';
    read.push(String(chunk));
    if (until !== undefined && (before + String(chunk)).includes(until)) break;
  }
  return read.join('');
};

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'slow', version: '1' } },
};
const pour = (id: number, progressToken?: string): object => ({
  id,
  method: 'tools/call',
  params: { name: 'pour', arguments: {}, ...(progressToken === undefined ? {} : { _meta: { progressToken } }) },
});
const DROP = { id: 9, method: 'tools/call', params: { name: 'drop', arguments: {} } };

/** A session over Streamable HTTP: its path and fields. */
const session = async (server: string) => {
  const path = `/servers/${server}/mcp`;
  const greeting = await open(path, { message: INITIALIZE });
  await textOf(greeting);
  return { path, headers: { 'mcp-session-id': String(greeting.headers['mcp-session-id']) } };
};

const LAST = `"progress":${ALL_BYTES / (32 * 1024)},`;

describe('a client that does not read what came on the one stream of its server', () => {
  it('holds up that server over HTTP+SSE, and gets everything in order once it reads', async () => {
    const { path, headers } = await session('sse');
    const slow = await open(path, { headers, message: pour(1, 'p') });
    expect(await pourer.sentUntilStill()).toBeLessThan(ALL_BYTES / 3);
    const text = await textOf(slow);
    expectAllInOrder(text);
    expect(text).toContain('a drop');
  });

  it('holds it up also with what belongs to no call, on the stream of GET', async () => {
    const { path, headers } = await session('get');
    const listening = await open(path, { method: 'GET', headers });
    expect(await textOf(await open(path, { headers, message: pour(1) }))).toContain('a drop');
    expect(await pourer.sentUntilStill()).toBeLessThan(ALL_BYTES / 3);
    expectAllInOrder(await textOf(listening, LAST));
  });

  it('may itself have one stream only', async () => {
    const stream = await open('/servers/sse/sse', { method: 'GET' });
    const endpoint = await new Promise<string>((resolve) => {
      stream.once('data', (chunk: Buffer) => resolve(/data: (\S+)/u.exec(chunk.toString())?.[1] ?? ''));
    });
    const heard: string[] = [];
    const hear = (chunk: Buffer): void => void heard.push(chunk.toString());
    stream.on('data', hear);
    await textOf(await open(endpoint, { message: INITIALIZE }));
    await expect.poll(() => heard.join('')).toContain('"id":0');
    stream.off('data', hear).pause();
    await textOf(await open(endpoint, { message: pour(1, 'p') }));
    expect(await pourer.sentUntilStill()).toBeLessThan(ALL_BYTES / 3);
    expectAllInOrder(await textOf(stream, 'a drop'));
  });

  it('holds up nobody else where the connection is shared', async () => {
    const [slow, quick] = [await session('shared'), await session('shared')];
    const unread = await open(slow.path, { headers: slow.headers, message: pour(1, 'p') });
    await pourer.sentUntilStill();
    expect(await textOf(await open(quick.path, { headers: quick.headers, message: DROP }))).toContain('a drop');
    unread.destroy();
  });
});
