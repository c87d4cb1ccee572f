import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { rawHttpClient } from '@plugboard/testing';
import type { Agent, ApiKeyCreated } from '../../../packages/contract/src/index.js';
import { hubCall } from '../../support/hub-call.js';
import { type OpenStream, openStream } from '../../support/open-stream.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
});
afterAll(() => hub.close());

const newKey = async (more: object): Promise<ApiKeyCreated> =>
  (await hubCall(hub.url, 'POST', '/v1/keys', { name: 'streaming', ...more })).json as ApiKeyCreated;

const agentKey = async (name: string): Promise<ApiKeyCreated> => {
  const { id } = (await hubCall(hub.url, 'POST', '/v1/agents', { name })).json as Agent;
  return newKey({ agent_id: id });
};

const revoke = (key: ApiKeyCreated) => hubCall(hub.url, 'DELETE', `/v1/keys/${key.id}`);

const stream = (path: string, headers: Readonly<Record<string, string>>): Promise<OpenStream> =>
  openStream((signal) => fetch(hub.url + path, { signal, headers: { accept: 'text/event-stream', ...headers } }));

const bearer = ({ key }: ApiKeyCreated) => ({ authorization: `Bearer ${key}` });

const mcpStream = async (key: ApiKeyCreated): Promise<OpenStream> => {
  const client = rawHttpClient(`${hub.url}/mcp`, { headers: bearer(key) });
  await client.initialize();
  return stream('/mcp', { ...bearer(key), 'mcp-session-id': client.sessionId ?? '' });
};

it('a caller without a key is sent away from its streams once keys are wanted', async () => {
  const guest = await stream('/sse', {});
  expect(guest.status).toBe(200);
  await newKey({ role: 'viewer' });
  await guest.ended();
});

it.each([
  ['/v1/events', () => newKey({ role: 'viewer' }), (key: ApiKeyCreated) => stream('/v1/events', bearer(key))],
  ['/sse', () => agentKey('sse'), (key: ApiKeyCreated) => stream('/sse', bearer(key))],
  ['GET /mcp', () => agentKey('mcp'), mcpStream],
])('the stream %s ends when its key is revoked, and those of others go on', async (_name, make, open) => {
  const [key, other] = [await make(), await newKey({ role: 'viewer' })];
  const [revoked, kept] = [await open(key), await stream('/v1/events', bearer(other))];
  expect([revoked.status, kept.status]).toEqual([200, 200]);
  await revoke(key);
  await revoked.ended();
  expect(kept.isOpen()).toBe(true);
});

it('the stream of a browser ends when it logs out', async () => {
  const { key } = await newKey({ role: 'viewer' });
  const answer = await fetch(`${hub.url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const events = await stream('/v1/events', { cookie });
  expect(events.status).toBe(200);
  await fetch(`${hub.url}/v1/session`, { method: 'DELETE', headers: { cookie, 'x-plugboard-csrf': csrf } });
  await events.ended();
});

it('a stream that was asked for while its connection still had an answer to send ends as well', async () => {
  const key = await newKey({ role: 'viewer' });
  const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = (path: string, fields = ''): string => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${fields}\r\n`;
  // The last is no path: its answer waits behind the stream, and nothing must fail when open answers are looked at.
  socket.write(head('/ready') + head('/v1/events', `authorization: Bearer ${key.key}\r\n`) + head('/%E0%A4%A'));
  let received = '';
  let isOver = false;
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('close', () => (isOver = true));
  await expect.poll(() => received, { timeout: 10_000 }).toContain('text/event-stream');
  await revoke(key);
  await expect.poll(() => isOver, { timeout: 10_000 }).toBe(true);
});
