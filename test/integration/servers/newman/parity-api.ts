import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Reply = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const json =
  (make: (request: IncomingMessage, body: string) => unknown, status = 200): Reply =>
  (request, response, body) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(make(request, body)));
  };

const text =
  (type: string, content: string): Reply =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(content);
  };

const queryOf = ({ url = '' }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(new URL(url, 'http://h').searchParams);

const cookiesOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries((headers.cookie ?? '').split('; ').flatMap((pair) => (pair === '' ? [] : [pair.split('=')])));

const PETS = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, name: `pet-${index + 1}`, tags: ['a', 'b'] }));

const ROUTES: Readonly<Record<string, Reply>> = {
  'GET /get': json((request) => ({ args: queryOf(request), headers: request.headers, url: request.url })),
  'POST /post': json(({ headers }, body) => ({ data: body, headers })),
  'PUT /put': json((_request, body) => ({ data: body })),
  'DELETE /delete': (_request, response) => response.writeHead(204).end(),
  'POST /token': json(() => ({ access_token: 'tok-123', expires_in: 3600 })),
  'GET /me': (request, response, body) =>
    json(() => ({ user: 'ada' }), request.headers.authorization === 'Bearer tok-123' ? 200 : 401)(
      request,
      response,
      body,
    ),
  'GET /basic': (request, response, body) =>
    json(() => ({ ok: true }), request.headers.authorization === 'Basic YWRhOmxvdmU=' ? 200 : 401)(
      request,
      response,
      body,
    ),
  'GET /pets': json((request) => {
    const page = Number(queryOf(request)['page'] ?? '1');
    return { items: PETS.slice(page * 2 - 2, page * 2), next: page < 3 ? page + 1 : null };
  }),
  'GET /pets/3': json(() => PETS[2]),
  'GET /status/404': json(() => ({ error: 'not found' }), 404),
  'GET /status/500': json(() => ({ error: 'broken' }), 500),
  'GET /xml': text('application/xml', '<?xml version="1.0"?><shop><item id="7"><name>tea</name></item></shop>'),
  'GET /html': text('text/html', '<html><head><title>Shop</title></head><body><li>one</li><li>two</li></body></html>'),
  'GET /csv': text('text/csv', 'name,price\ntea,3\ncoffee,5\n'),
  'GET /plain': text('text/plain; charset=utf-8', 'grüße'),
  'GET /latin': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' });
    response.end(Buffer.from('gr\u00fc\u00dfe', 'latin1'));
  },
  'GET /cookies/set': (_request, response) => {
    response.writeHead(200, { 'set-cookie': ['sid=abc; Path=/', 'theme=dark; Path=/; HttpOnly'] });
    response.end('{}');
  },
  'GET /cookies': json((request) => ({ cookies: cookiesOf(request) })),
  'GET /redirect': (_request, response) => response.writeHead(302, { location: '/get?from=redirect' }).end(),
  'POST /graphql': json((_request, body) => ({ data: { echo: JSON.parse(body) as unknown } })),
  'POST /upload': json(({ headers }, body) => ({
    type: (headers['content-type'] ?? '').split(';')[0],
    hasFile: body.includes('the content of the file'),
    named: body.includes('filename="note.txt"'),
    size: body.length > 0,
  })),
  'POST /signed': json(({ headers }, body) => ({ signature: headers['x-signature'], body })),
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

export interface ParityApi {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** An API on loopback with the routes that public collections like to call. */
export const openParityApi = async (): Promise<ParityApi> => {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '' } = request;
      const reply = ROUTES[`${method} ${url.split('?')[0] ?? ''}`] ?? json(() => ({ error: 'no such route' }), 404);
      return reply(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
