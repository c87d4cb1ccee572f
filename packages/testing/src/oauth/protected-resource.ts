import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeServer } from '../server/fake-server.js';
import type { AuthorizationServerDouble } from './authorization-server.js';

export interface ProtectedResourceOptions {
  readonly server: FakeServer;
  readonly authorization: AuthorizationServerDouble;
  /** The scopes that a message needs. */
  readonly scopesFor?: (method: string, params: unknown) => readonly string[];
  readonly scopesSupported?: readonly string[];
  /** What the metadata calls the resource. */
  readonly resource?: string;
}

export interface ProtectedResource extends AsyncDisposable {
  readonly url: string;
  /** How many requests were refused, by status. */
  readonly refused: { 401: number; 403: number };
  /** Every token that was sent to it. */
  readonly tokensSeen: ReadonlySet<string>;
  /** Which authorization server the metadata names from now on. */
  trust(authorization: AuthorizationServerDouble): void;
  close(): Promise<void>;
}

const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const messageOf = (body: Buffer): { readonly method: string; readonly params: unknown } => {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as { method?: unknown; params?: unknown };
    return { method: typeof parsed.method === 'string' ? parsed.method : '', params: parsed.params };
  } catch {
    return { method: '', params: undefined };
  }
};

const forward = (target: URL, request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
  const headers = { ...request.headers, host: target.host };
  delete headers.authorization;
  const upstream = send(target, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  upstream.end(body);
};

/** A fake MCP server that serves only those whom an authorization server has authorized. */
export const protectResource = async (options: ProtectedResourceOptions): Promise<ProtectedResource> => {
  const inner = await options.server.listenHttp();
  const refused = { 401: 0, 403: 0 };
  const tokensSeen = new Set<string>();
  let { authorization } = options;
  let base = '';

  const refuse = (response: ServerResponse, status: 401 | 403, parameters: Readonly<Record<string, string>>): void => {
    refused[status] += 1;
    const challenge = Object.entries({ ...parameters, resource_metadata: base + METADATA_PATH }).map(
      ([name, value]) => `${name}="${value}"`,
    );
    response.writeHead(status, { 'www-authenticate': `Bearer ${challenge.join(', ')}`.trim() }).end();
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === METADATA_PATH) {
      const resource = options.resource ?? `${base}/mcp`;
      const { scopesSupported } = options;
      const scopes = scopesSupported === undefined ? {} : { scopes_supported: scopesSupported };
      const document = { resource, authorization_servers: [authorization.issuer], ...scopes };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      return;
    }
    if (new URL(request.url ?? '', base).pathname !== '/mcp') {
      response.writeHead(404).end();
      return;
    }
    const body = await readAll(request);
    const { method, params } = messageOf(body);
    const needed = options.scopesFor?.(method, params) ?? [];
    const scope: Record<string, string> = needed.length === 0 ? {} : { scope: needed.join(' ') };
    const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return refuse(response, 401, scope);
    tokensSeen.add(token);
    const issued = await authorization.introspect(token);
    if (issued === undefined) return refuse(response, 401, { error: 'invalid_token', ...scope });
    const held = new Set(issued.scope.split(' '));
    if (needed.some((name) => !held.has(name))) return refuse(response, 403, { error: 'insufficient_scope', ...scope });
    forward(new URL(inner.url), request, response, body);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await inner.close();
  };
  return {
    url: `${base}/mcp`,
    refused,
    tokensSeen,
    trust: (other) => {
      authorization = other;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
