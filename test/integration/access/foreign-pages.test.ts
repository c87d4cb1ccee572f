import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

/** What browsers send for pages of others, and pages cannot change. */
let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
});
afterAll(() => hub.close());

const statusOf = (method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(hub.url + path, { method, headers }, (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    asked.once('error', reject);
    asked.end();
  });

const CROSS = { 'sec-fetch-site': 'cross-site' };
const LINK = { ...CROSS, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe('a page of another origin', () => {
  it.each([
    ['another port of this machine', 'http://localhost:3000'],
    ['another name of the same port', () => hub.url.replace('127.0.0.1', 'localhost')],
    ['nowhere', 'null'],
  ])('on %s cannot call a tool without a body', async (_where, origin) => {
    const from = typeof origin === 'string' ? origin : origin();
    expect(await statusOf('POST', '/servers/any/tools/any', { origin: from })).toBe(403);
    expect(await statusOf('POST', '/v1/keys', { origin: from })).toBe(403);
  });

  it.each(['/sse', '/mcp', '/servers', '/servers/any/tools', '/metrics', '/v1/events', '/ready'])(
    'cannot make the browser GET %s as an image, a frame or a link',
    async (path) => {
      const headers = { ...CROSS, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
      expect(await statusOf('GET', path, headers)).toBe(403);
      expect(await statusOf('GET', path, { ...headers, 'sec-fetch-site': 'same-site' })).toBe(403);
      expect(await statusOf('GET', path, LINK)).toBe(403);
    },
  );

  it('may link to the pages of the hub, and authorization servers send people back', async () => {
    expect(await statusOf('GET', '/login', LINK)).toBe(200);
    expect(await statusOf('GET', '/v1/tools/mcp/oauth/callback?state=x', LINK)).toBe(200);
  });
});

it('pages of the hub itself, and programs, are let in', async () => {
  expect(await statusOf('GET', '/servers', { origin: hub.url, 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await statusOf('GET', '/servers', { 'sec-fetch-site': 'none' })).toBe(200);
  expect(await statusOf('GET', '/servers', {})).toBe(200);
});
