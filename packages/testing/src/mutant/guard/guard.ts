import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import type { HttpListener } from '../../transport/http-server.js';
import type { FakeNetwork } from '../../transport/network.js';
import { readBody } from '../../transport/read-body.js';
import { parseObject } from '../mutation/filter.js';
import type { HttpAnswered, HttpAsked } from '../mutation/mutation.js';
import { authorizationAnswer, resourceMetadata, type Answered } from './authorization-endpoints.js';
import { HandleOwners } from './handle-owners.js';
import type { Protection, TokenClaims } from '../mutation/protection.js';
import { TokenBook } from './token-book.js';

const NOBODY = 'nobody';
const METADATA = '/.well-known/oauth-protected-resource';

/** Tokens that the one who runs a check on the guarded server may use. */
export interface GuardCredentials {
  readonly token: string;
  readonly otherToken: string;
  readonly narrowToken: string;
  readonly expiredToken: string;
  readonly otherAudienceToken: string;
}

export interface GuardedListener extends HttpListener {
  credentialsFor(url: string): GuardCredentials;
}

interface Guard {
  readonly port: number;
  readonly network: FakeNetwork;
  readonly protection: Protection;
  readonly book: TokenBook;
  readonly owners: HandleOwners;
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

const nowS = (): number => Math.floor(Date.now() / 1_000);

const scopeFor = ({ body }: HttpAsked): string =>
  parseObject(body)?.['method'] === 'tools/call' ? 'mcp:call' : 'mcp:read';

/** Why a request is refused; undefined when it may pass. */
const refusalOf = (guard: Guard, asked: HttpAsked, base: string): HttpAnswered | undefined => {
  const { protection, book } = guard;
  const given = /^Bearer (\S+)$/iu.exec(asked.headers['authorization'] ?? '')?.[1];
  const claims = book.read(given);
  if (protection.accepts?.(asked, claims) === true) return undefined;
  const scope = scopeFor(asked);
  const refuse = (status: number, error?: string): HttpAnswered => {
    const named = error === undefined ? '' : `error="${error}", `;
    const challenge = `Bearer ${named}resource_metadata="${base}${METADATA}/mcp", scope="${scope}"`;
    const refused = { status, headers: { 'www-authenticate': challenge } };
    return protection.refusal?.(refused, asked) ?? refused;
  };
  if (given === undefined) return refuse(401);
  const valid = claims !== undefined && claims.exp > nowS() && claims.aud === `${base}/mcp`;
  if (!valid) return refuse(401, 'invalid_token');
  return claims.scope.split(' ').includes(scope) ? undefined : refuse(403, 'insufficient_scope');
};

/** The user that a request belongs to, for what it is given and uses. */
const userOf = (guard: Guard, asked: HttpAsked): string => {
  const claims: TokenClaims | undefined = guard.book.read(asked.headers['authorization']?.replace(/^Bearer /iu, ''));
  return claims?.sub ?? NOBODY;
};

const send = (response: ServerResponse, { status, headers }: HttpAnswered, body = ''): void => {
  response.writeHead(status, headers).end(body);
};

const foreignAnswer = (kind: string, { body }: HttpAsked): Answered => {
  const id = parseObject(body)?.['id'] ?? null;
  const error = { code: -32_602, message: `The ${kind} is not known.` };
  return {
    status: kind === 'session' ? 404 : 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  };
};

const forward = (guard: Guard, asked: HttpAsked, response: ServerResponse): void => {
  const { owners } = guard;
  const user = userOf(guard, asked);
  const { authorization, ...rest } = asked.headers;
  const passed = authorization !== undefined && guard.protection.passesToken === true;
  const headers = passed ? { ...rest, authorization } : rest;
  const upstream = requestHttp(
    { createConnection: () => guard.network.connect(guard.port), method: asked.method, path: asked.path, headers },
    (answer) => {
      owners.learnSession(user, flat(answer)['mcp-session-id']);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        owners.learn(user, text);
        response.write(chunk);
      });
      answer.on('end', () => response.end());
      answer.on('error', () => response.destroy());
    },
  );
  upstream.on('error', () => response.destroy());
  response.once('close', () => upstream.destroy());
  upstream.end(asked.body);
};

const handle = async (guard: Guard, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const headers = flat(request);
  const asked: HttpAsked = {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
    body: await readBody(request),
  };
  const { protection, book, owners } = guard;
  const base = `http://${headers['host'] ?? 'localhost'}`;
  const desk = { book, protection, base };
  const { pathname } = new URL(asked.path, base);
  const own = pathname === `${METADATA}/mcp` ? resourceMetadata(desk) : authorizationAnswer(desk, asked);
  if (own !== undefined) {
    const changed = protection.answer?.(own, pathname) ?? own;
    return send(response, changed, changed.body);
  }
  if (pathname !== '/mcp') return send(response, { status: 404, headers: {} });
  const refused = refusalOf(guard, asked, base);
  if (refused !== undefined) return send(response, refused);
  // Whom a defect let in without a token belongs nowhere.
  const user = userOf(guard, asked);
  const foreign = user === NOBODY ? undefined : owners.foreign(user, asked);
  if (foreign !== undefined) {
    const answered = foreignAnswer(foreign, asked);
    return send(response, answered, answered.body);
  }
  return forward(guard, asked, response);
};

const credentials = (book: TokenBook, url: string): GuardCredentials => {
  const right = { aud: url, scope: 'mcp:read mcp:call', exp: nowS() + 3_600 };
  return {
    token: book.mint({ ...right, sub: 'alice' }),
    otherToken: book.mint({ ...right, sub: 'bob' }),
    narrowToken: book.mint({ ...right, sub: 'alice', scope: 'mcp:read' }),
    expiredToken: book.mint({ ...right, sub: 'alice', exp: nowS() - 60 }),
    otherAudienceToken: book.mint({ ...right, sub: 'alice', aud: 'https://other.example/mcp' }),
  };
};

/** Puts OAuth in front of a server: a resource server and the authorization server that it trusts, on one port. */
export const listenGuarded = async (
  inner: HttpListener,
  protection: Protection,
  network: FakeNetwork,
): Promise<GuardedListener> => {
  const book = new TokenBook();
  const owners = new HandleOwners(protection.sharesHandles);
  const guard: Guard = { port: inner.port, network, protection, book, owners };
  const server = createServer((request, response) => {
    void handle(guard, request, response).catch(() => response.destroy());
  });
  const port = await network.listen(server, 0, '127.0.0.1');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    await inner.close();
  };
  return {
    url: inner.url.replace(`:${inner.port}`, `:${port}`),
    port,
    close,
    credentialsFor: (url) => credentials(book, url),
    [Symbol.asyncDispose]: close,
  };
};
