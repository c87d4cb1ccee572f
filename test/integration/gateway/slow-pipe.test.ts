import { PassThrough } from 'node:stream';
import { META } from '@plugboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runProxy } from '../../../packages/plugboard/src/stdio-proxy/stdio-proxy.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { ALL_BYTES, expectAllInOrder, PouringServer } from './pouring-server.js';
import { addServer } from './rig.js';

const pourer = new PouringServer();
let hub: RealHub;
beforeAll(async () => {
  await pourer.listen();
  hub = await startRealHub();
  await addServer(hub, 'sse', pourer.sse);
  await addServer(hub, 'get', pourer.streamable);
});
afterAll(async () => {
  await hub.close();
  await pourer.close();
});
beforeEach(() => {
  pourer.sent = 0;
  pourer.opened = 0;
});

interface Pipes {
  readonly input: PassThrough;
  readonly output: PassThrough;
}
type Serve = (server: string, pipes: Pipes, signal: AbortSignal) => Promise<void>;

const asHub: Serve = (server, pipes, signal) => hub.serveStdio(pipes, signal, { server });
const throughHub: Serve = (server, pipes, signal) => {
  const findHub = () => Promise.resolve({ url: hub.url, key: undefined });
  return runProxy({ findHub, fetch, path: `/servers/${server}/mcp`, ...pipes, signal });
};

/** A client that reads only while it looks for something. */
const clientOf = (serve: Serve, server: string) => {
  const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const served = serve(server, { input, output }, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let unseen = '';
  const readUntil = (mark: string): Promise<string> =>
    new Promise((resolve) => {
      const read = [unseen];
      const onData = (chunk: Buffer): void => {
        const tail = (read.at(-1) ?? '').slice(-mark.length);
        read.push(chunk.toString());
        if (!(tail + chunk.toString()).includes(mark)) return;
        output.off('data', onData).pause();
        const text = read.join('');
        const end = text.indexOf('\n', text.indexOf(mark)) + 1;
        unseen = text.slice(end);
        resolve(text.slice(0, end));
      };
      output.on('data', onData).resume();
    });
  return { input, output, served, send, readUntil };
};

const greet = async ({ send, readUntil }: ReturnType<typeof clientOf>): Promise<void> => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'slow', version: '1' } };
  send({ id: 'hello', method: 'initialize', params });
  await readUntil('"id":"hello"');
  send({ method: 'notifications/initialized' });
};

const MODERN = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
const call = (id: string, name: string, _meta: object): object => ({
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta },
});
const LAST = `"progress":${ALL_BYTES / (32 * 1024)},`;

describe.each([
  ['a hub of its own', asHub],
  ['a hub that runs already', throughHub],
])('a client over stdio that does not read, in front of %s', (_where, serve) => {
  it('holds up its server, and gets everything in order once it reads', async () => {
    const client = clientOf(serve, 'sse');
    await greet(client);
    client.send(call('slow', 'pour', { progressToken: 'p' }));
    expect(await pourer.sentUntilStill()).toBeLessThan(ALL_BYTES / 3);
    expectAllInOrder(await client.readUntil('"id":"slow"'));
  });

  it('holds it up also with what belongs to no call', async () => {
    const client = clientOf(serve, 'get');
    await greet(client);
    client.send(call('first', 'drop', {}));
    await client.readUntil('"id":"first"');
    await expect.poll(() => pourer.opened, { timeout: 20_000 }).toBe(1);
    client.send(call('second', 'drip', {}));
    await client.readUntil('"progress":1,');
    pourer.sent = 0;
    client.send(call('slow', 'pour', {}));
    expect(await pourer.sentUntilStill()).toBeLessThan(ALL_BYTES / 3);
    expectAllInOrder(await client.readUntil(LAST));
  });

  it('can take a call back meanwhile, and make others', async () => {
    const client = clientOf(serve, 'sse');
    client.send(call('taken back', 'pour', { ...MODERN, progressToken: 'p' }));
    expect(await pourer.sentUntilStill()).toBeLessThan(ALL_BYTES / 3);
    client.send({ method: 'notifications/cancelled', params: { requestId: 'taken back' } });
    client.send(call('another', 'drop', MODERN));
    expect(await client.readUntil('"id":"another"')).toContain('a drop');
    await expect.poll(() => pourer.pouring, { timeout: 20_000 }).toBe(0);
  });

  it.each([
    ['says that it will send no more', ({ input }: Pipes) => input.end()],
    ['reads no more', ({ output }: Pipes) => output.destroy()],
  ])('is left when it %s', async (_how, leave) => {
    const client = clientOf(serve, 'sse');
    await greet(client);
    client.send(call('slow', 'pour', { progressToken: 'p' }));
    expect(await pourer.sentUntilStill()).toBeLessThan(ALL_BYTES / 3);
    leave(client);
    await client.served;
    await expect.poll(() => pourer.pouring, { timeout: 20_000 }).toBe(0);
    const metrics = async (): Promise<string> => (await fetch(`${hub.url}/metrics`)).text();
    await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^plugboard_sessions 0$/mu);
  });
});
