import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Shop {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  /** Resolves when a request to this path has come. */
  readonly arrival: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

type Reply = (response: ServerResponse, seen: Seen) => void;

const json =
  (status: number, body: (seen: Seen) => unknown): Reply =>
  (response, seen) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body(seen)));
  };

const ROUTES: Readonly<Record<string, Reply>> = {
  'POST /login': (response, seen) => {
    response.setHeader('Set-Cookie', ['sid=s1; Path=/; HttpOnly', 'gone=1; Max-Age=0']);
    json(seen.headers.authorization?.includes('YWRhOmxvdmVsYWNl') === true ? 200 : 401, () => ({
      token: 'secret-token',
    }))(response, seen);
  },
  'POST /orders': json(201, ({ body }) => ({ id: 'o 1', ...(JSON.parse(body) as object) })),
  'GET /orders/o%201': json(200, () => ({ article: 'tea', query: { full: 'yes' } })),
  'POST /search': json(200, ({ body }) => ({ found: body })),
  'GET /v1/pets': json(200, () => [
    { id: 1, name: 'rex', kind: 'dog', owner: null, friends: [{ name: 'tom', kind: 'cat' }] },
  ]),
  'POST /v1/pets': json(201, ({ body }) => ({ ...(JSON.parse(body) as object), kind: 'fish' })),
  'GET /v1/pets/rex': json(418, () => ({})),
  'GET /slow': () => undefined,
  'GET /large': (response) => {
    response.write('x'.repeat(70_000));
    response.end();
  },
  'GET /cut': (response) => response.socket?.destroy(),
  'GET /loop': (response) => response.writeHead(302, { Location: '/loop' }).end(),
  'GET /away': (response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
  'GET /file': (response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
  'POST /see-other': (response) => response.writeHead(303, { Location: '/echo' }).end(),
  'GET /echo': json(200, ({ headers }) => headers),
  'POST /echo': json(200, ({ headers, body }) => ({ ...headers, body })),
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** A small API on loopback. */
export const openShop = async (more: Readonly<Record<string, Reply>> = {}): Promise<Shop> => {
  const seen: Seen[] = [];
  const waiting: { readonly path: string; readonly come: () => void }[] = [];
  const routes = { ...ROUTES, ...more };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const entry = { method, path: url, headers, body };
      seen.push(entry);
      for (const { path, come } of waiting) if (path === url) come();
      const reply = routes[`${method} ${url.split('?')[0] ?? ''}`] ?? json(404, () => ({ error: 'not found' }));
      return reply(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    arrival: (path) => new Promise((come) => waiting.push({ path, come })),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
