import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { McpClient } from '../mcp-client.js';
import { createGuardedFetch } from './guarded-fetch.js';
import { guardedLookup } from './guarded-lookup.js';
import { createUrlGuard } from './url-guard.js';
import type { UrlPolicy } from './url-policy.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const serve = async (answer: RequestListener): Promise<number> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
};

const guarded = (policy: UrlPolicy) => {
  const made = createGuardedFetch(createUrlGuard(policy));
  closing.push(() => made.close());
  return made.fetch;
};

describe('a guarded fetch', () => {
  it('reaches what is allowed', async () => {
    const port = await serve((_request, response) => response.end('hello'));
    const get = guarded({ mode: 'deny-private', loopback: 'allow' });
    expect(await (await get(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
    expect(await (await get(`http://localhost:${port}/`)).text()).toBe('hello');
  });

  it('refuses by sight, by what a name is resolved to, and behind a redirect', async () => {
    let asked = 0;
    const inside = await serve((_request, response) => {
      asked += 1;
      response.end();
    });
    const outside = await serve((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inside}/` }).end();
    });
    const get = guarded({ mode: 'allow-list', hosts: ['localhost'] });
    const refused = { code: 'URL_REFUSED' };
    await expect(get(`http://127.0.0.1:${inside}/`)).rejects.toMatchObject(refused);
    await expect(get(`http://localhost:${outside}/`)).rejects.toMatchObject(refused);
    const strict = guarded({ mode: 'allow-list', hosts: ['10.0.0.0/8'] });
    await expect(strict(`http://localhost:${inside}/`)).rejects.toMatchObject(refused);
    expect(asked).toBe(0);
  });
});

it('never reaches the hub by its public URL, where a stranger names it', async () => {
  let asked = 0;
  const port = await serve((_request, response) => {
    asked += 1;
    response.end();
  });
  // Behind a proxy, the address of the public URL is not the one on which the hub listens.
  const strangers = { isOwnAddress: () => false, isOwnUrl: (url: URL) => url.port === String(port) };
  const made = createGuardedFetch(createUrlGuard({ mode: 'allow-all' }), { strangers });
  closing.push(() => made.close());
  await expect(made.fetch(`http://127.0.0.1:${port}/v1`)).rejects.toMatchObject({ code: 'URL_REFUSED' });
  expect(asked).toBe(0);
});

it('gives a client of an MCP server the refusal, and sends nothing', async () => {
  let asked = 0;
  const port = await serve((_request, response) => {
    asked += 1;
    response.end();
  });
  const client = new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: `http://rebind.example:${port}/mcp` },
    network: {
      lookup: guardedLookup(createUrlGuard({ mode: 'deny-private', loopback: 'deny' }), (_host, _options, callback) =>
        callback(null, [{ address: '127.0.0.1', family: 4 }]),
      ),
    },
  });
  closing.push(() => client.dispose());
  await expect(client.listTools()).rejects.toMatchObject({ code: 'URL_REFUSED', delivery: 'not-executed' });
  expect(asked).toBe(0);
});
