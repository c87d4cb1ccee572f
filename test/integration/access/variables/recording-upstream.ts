import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tokenDesk, type TokenDesk } from './token-desk.js';

/** A message that reached a server, with everything that came with it. */
export interface Seen {
  /** The server that it was for: the second part of the path. */
  readonly server: string;
  readonly method: string;
  /** Address, credentials and headers, tokens decoded. */
  readonly with: string;
}

export interface RecordingUpstream extends AsyncDisposable {
  readonly origin: string;
  readonly desk: TokenDesk;
  readonly seen: readonly Seen[];
  /** Opens a proxy to it, and resolves with its port. What comes through it tells the name. */
  readonly openProxy: (name: string) => Promise<number>;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const METADATA = '/.well-known/oauth-protected-resource';
const TOOL = { name: 'look', inputSchema: { type: 'object', properties: {} } };

const resultOf = (method: string, facts: string): unknown => {
  const answers: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'recording', version: '1' },
    },
    ping: {},
    'tools/list': { tools: [TOOL] },
    'tools/call': { content: [{ type: 'text', text: facts }] },
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
  };
  return answers[method];
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** What a request carried. Tokens of the desk are shown as what they tell. */
const carried = (address: string, { headers }: IncomingMessage): string => {
  const token = /^Bearer (.+)$/u.exec(headers.authorization ?? '')?.[1] ?? '';
  const told = Buffer.from(token, 'base64url').toString();
  const kept = Object.entries(headers).filter(([name]) => name === 'authorization' || name.startsWith('x-'));
  const of = told.startsWith('for ') || told.startsWith('login of ') ? told : '';
  return JSON.stringify([decodeURIComponent(address), `at ${headers.host}`, kept, of]);
};

/**
 * Every path of it is a server: `/http/{name}/…` over Streamable HTTP with sessions, `/sse/{name}/…` over HTTP+SSE. Those
 * whose name contains "oauth" want a token of its own desk.
 */
export const recordingUpstream = async (): Promise<RecordingUpstream> => {
  const seen: Seen[] = [];
  const desk = tokenDesk();
  const streams = new Map<string, { readonly response: ServerResponse; readonly address: string }>();
  /** The proxies behind connections, by the port that they come from. */
  const proxied = new Map<number, string>();
  let origin = '';

  const take = (address: string, request: IncomingMessage, text: string): string | undefined => {
    const { id, method } = JSON.parse(text) as { readonly id?: number; readonly method: string };
    const facts = carried(address, request) + (proxied.get(request.socket.remotePort ?? 0) ?? '');
    seen.push({ server: /^\/[^/]+\/([^/?]+)/u.exec(address)?.[1] ?? '', method, with: facts });
    if (id === undefined) return undefined;
    const result = resultOf(method, facts);
    const error = { code: -32_601, message: `no method ${method}` };
    return JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
  };

  const refuses = (request: IncomingMessage, path: string, response: ServerResponse): boolean => {
    if (!path.includes('oauth') || desk.isIssued(request.headers.authorization)) return false;
    const challenge = `Bearer resource_metadata="http://${request.headers.host}${METADATA}${path}"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  };

  const openStream = (address: string, response: ServerResponse): void => {
    const id = String(streams.size);
    streams.set(id, { response, address });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${address.split('?')[0]}/messages?session=${id}\n\n`);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = request.url ?? '';
    const { pathname, searchParams } = new URL(address, origin);
    const text = await textOf(request);
    const json = (status: number, value: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname.startsWith(METADATA)) {
      const resource = `http://${request.headers.host}${pathname.slice(METADATA.length)}`;
      json(200, { resource, authorization_servers: [`${origin}/desk`] });
      return;
    }
    const answer = desk.answer(request, origin, text);
    if (answer !== undefined) {
      if (answer.location === undefined) json(answer.status, answer.json);
      else response.writeHead(answer.status, { location: answer.location }).end();
      return;
    }
    if (refuses(request, pathname.replace(/\/messages$/u, ''), response)) return;
    if (pathname.startsWith('/sse/') && request.method === 'GET') {
      openStream(address, response);
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const stream = pathname.startsWith('/sse/') ? streams.get(searchParams.get('session') ?? '') : undefined;
    const told = take(stream?.address ?? address, request, text);
    if (stream !== undefined || told === undefined) {
      response.writeHead(202).end();
      if (told !== undefined) stream?.response.write(`event: message\ndata: ${told}\n\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' }).end(told);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  origin = `http://127.0.0.1:${port}`;
  const proxies: Server[] = [];
  return {
    origin,
    desk,
    seen,
    openProxy: async (name) => {
      const proxy = createServer().on('connect', (_request, socket) => {
        const onward = connect({ host: '127.0.0.1', port }, () => {
          const from = onward.localPort ?? 0;
          proxied.set(from, ` by the proxy of ${name}`);
          // The system gives the port to another connection later; a closed socket does not know it any more.
          onward.on('close', () => proxied.delete(from));
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          onward.pipe(socket).pipe(onward);
        });
        onward.on('error', () => socket.destroy());
        socket.on('error', () => onward.destroy());
        socket.on('close', () => onward.destroy());
      });
      proxies.push(proxy);
      proxy.listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      return portOf(proxy);
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [server, ...proxies]) {
        each.closeAllConnections();
        each.close();
      }
      await once(server, 'close');
    },
  };
};
