import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

/** What is sent goes out as it is: no client makes another path of it first. */
const send = async (
  hub: RealHub,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
): Promise<{ readonly status: number | undefined; readonly text: string }> => {
  const { port } = new URL(hub.url);
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...json }, agent: false });
  // With a text as its body, Node would write the fields as UTF-8.
  sent.end(body && Buffer.from(JSON.stringify(body)));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk as string;
  return { status: answer.statusCode, text };
};

it('a Host that holds a path opens no other route than the one that was asked for', async () => {
  const hub = await startRealHub({ settings: { host: '0.0.0.0', insecure: true } });
  onTestFinished(() => hub.close());
  expect((await send(hub, 'GET', '/metrics')).status).toBe(200);
  // Its length is that of the host that a URL parser makes of it, which is what the HTTP library compares.
  const host = '\u00E4.\u00E4/v1/keys#abc';
  const made = await send(hub, 'POST', '/metrics', { host }, { name: 'mine', role: 'admin' });
  expect(made).toMatchObject({ status: 400, text: expect.stringContaining('INVALID_ARGUMENT') });
  expect((await hubCall(hub.url, 'GET', '/v1/keys')).json).toEqual([]);
});

it('a path with dot segments is none that the cookie of a browser opens by itself', async () => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const opened = await fetch(`${hub.url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: hub.key }),
  });
  expect(opened.status).toBe(201);
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await send(hub, 'GET', '/v1/mcp-servers', { cookie })).status).toBe(401);
  for (const path of ['/v1/mcp-servers/connect/..', '/v1/mcp-servers/connect/%2e%2e', '/v1/checks/x/report/../..']) {
    expect((await send(hub, 'GET', path, { cookie })).status).toBe(400);
  }
});
