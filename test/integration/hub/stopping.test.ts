import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { fakeServer } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';

/** Longer than any test may take: whoever has to wait for it fails. */
const GRACE_MS = 600_000;

const open = async (url: string): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
};

const sseClient = async (url: string): Promise<Client> => {
  const client = new Client({ name: 'idle', version: '1.0.0' });
  await client.connect(new SSEClientTransport(new URL('/sse', url)));
  onTestFinished(() => client.close());
  return client;
};

it('a hub that is told to stop does not wait for clients that do nothing', async () => {
  const hub = await startRealHub();
  await open(hub.url);
  const half = await open(hub.url);
  half.write('POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n');
  const idle = await sseClient(hub.url);
  const left = new Promise<string>((resolve) => {
    idle.onclose = () => resolve('closed');
    idle.onerror = () => resolve('closed');
  });
  await hub.stop(GRACE_MS);
  expect(await left).toBe('closed');
});

it('an SSE client gets the answer to its last call before its stream ends', async () => {
  const hub = await startRealHub();
  await using server = fakeServer({ tools: ['sleep'] });
  await addServer(hub, 'fake', httpConfig((await server.listenHttp()).url));
  const client = await sseClient(hub.url);
  const call = client.callTool({ name: 'fake__sleep', arguments: { ms: 500 } });
  await server.log.arrival('tools/call');
  const stopped = hub.stop(GRACE_MS);
  expect(await call).toMatchObject({ content: [{ text: 'awake' }] });
  await stopped;
});
