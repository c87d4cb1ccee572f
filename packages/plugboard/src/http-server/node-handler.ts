import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  mediaTypeError,
  type PlugboardError,
  type Principal,
  toErrorEnvelope,
  toPlugboardError,
} from '@plugboard/contract';
import type { Room } from '@plugboard/client';
import { type Caller, type HttpRequest, type Gateway, overloaded } from '@plugboard/gateway';
import type { RequestAccess } from '../access/request-access.js';
import { assertOwnSite } from '../access/browser/foreign-page.js';
import type { SessionRoutes } from '../access/session-routes.js';
import { isMetadataPath } from '../access/resource-metadata.js';
import type { Site } from './site.js';
import { assertNoLoop } from '../hub-loop/hop.js';
import { assertLocalHost, assertPlainHost } from './host-check.js';

import type { Pressure } from '../pressure/pressure.js';
import { pathSegments } from '../http/path-segments.js';
import { jsonReply, type Reply } from '../http/reply.js';
import { MAX_BODY_BYTES, readBody } from '../http/request-body.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface NodeHandlerOptions {
  readonly gateway: Gateway;
  /** Takes every path that is not the gateway's. */
  readonly admin: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
  /** Authenticates and authorizes callers. */
  readonly requestAccess: RequestAccess;
  /** Where people log in with a browser. */
  readonly sessionRoutes: SessionRoutes;
  /** The description of this hub as a protected resource, where tokens are accepted. */
  readonly resource: object | undefined;
  /** The documentation and the console: no secret is in their files, so nobody is asked for a key. */
  readonly site: Site;
  /** Where browsers reach the hub, when that is not where it listens. */
  readonly publicUrl: string | undefined;
  /** What the requests of this hub are known by. */
  readonly hubId: string;
  /** Answer only callers on this machine. */
  readonly localOnly: boolean;
  /** How much work the hub can take. */
  readonly pressure: Pressure;
  /** Passes on what another process must answer; undefined when it is answered here, false when it was not passed on. */
  readonly elsewhere?:
    | ((
        request: IncomingMessage,
        response: ServerResponse,
        segments: readonly string[],
      ) => Promise<boolean> | undefined)
    | undefined;
  /** The same for what the admin API knows at another process only. That process asks for the key. */
  readonly adminElsewhere?: NodeHandlerOptions['elsewhere'];
  /** The same for browsers that are signed in at another process. */
  readonly browserElsewhere?:
    | ((request: IncomingMessage, response: ServerResponse) => Promise<boolean> | undefined)
    | undefined;
  readonly onInternalError: (error: unknown) => void;
}

const send = (request: IncomingMessage, response: ServerResponse, reply: Reply): void => {
  if (response.destroyed || response.headersSent) return;
  // What is left of a refused body must not be read as the next request.
  const close = request.complete ? {} : { connection: 'close' };
  const length = reply.status === 204 ? {} : { 'content-length': String(Buffer.byteLength(reply.body)) };
  response.writeHead(reply.status, { ...reply.headers, ...length, ...close });
  response.end(request.method === 'HEAD' ? '' : reply.body);
};

const refusal = (error: PlugboardError, challenge: string | undefined): Reply =>
  jsonReply(error.httpStatus, toErrorEnvelope(error), {
    ...(error.retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfterMs / 1000)) }),
    ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
  });

const serveGateway = async (
  { gateway, pressure }: Pick<Parts, 'gateway' | 'pressure'>,
  { segments, caller }: Pick<HttpRequest, 'segments' | 'caller'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const abandoned = new AbortController();
  const abandon = (): void => abandoned.abort();
  response.once('close', abandon);
  using room = pressure.memory.room(caller?.principal ?? 'local');
  try {
    const body = await readBody(request, {
      take: (bytes) => {
        const refused = room.grow(bytes);
        if (refused !== undefined) throw overloaded(refused);
      },
    });
    const unread = body === '' ? undefined : mediaTypeError(request.headers['content-type']);
    if (unread !== undefined) throw unread;
    const method = request.method ?? 'GET';
    send(request, response, await gateway.answer({ method, segments, body, caller, signal: abandoned.signal }));
  } finally {
    response.off('close', abandon);
  }
};

type Parts = Omit<NodeHandlerOptions, 'onInternalError'>;

const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** Metrics reveal no more than the lists of servers and tools, so the same callers may read them. */
const isMetrics = (segments: readonly string[]): boolean => segments.length === 1 && segments[0] === 'metrics';

const isLogin = ([version, area, what]: readonly string[]): boolean =>
  version === 'v1' && area === 'oauth' && what === 'login';

const QUESTIONS: ReadonlySet<string> = new Set(['v1/chat/completions', 'v1/responses']);

/** Is an agent asked? It holds the conversation until its model has answered. */
const isQuestion = (segments: readonly string[], { method }: IncomingMessage): boolean =>
  method === 'POST' && QUESTIONS.has(segments.join('/'));

/** Memory for the conversation that an agent is asked with. Throws OVERLOADED when there is none. */
const roomForQuestion = ({ guard, memory }: Pressure, { id }: Principal, { headers }: IncomingMessage): Room => {
  guard.admit();
  const room = memory.room(id);
  // Longer bodies are refused; one of unknown length may have the most that is allowed.
  const refused = room.grow(Math.min(Number(headers['content-length'] ?? MAX_BODY_BYTES), MAX_BODY_BYTES));
  if (refused === undefined) return room;
  room[Symbol.dispose]();
  throw overloaded(refused);
};

/** Everything but MCP, where its browser is signed in. */
const serveSite = async (
  parts: Parts,
  segments: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if ((await parts.adminElsewhere?.(request, response, segments)) === true) return;
  if ((await parts.browserElsewhere?.(request, response)) === true) return;
  await serveOther(parts, segments, request, response);
};

/** Everything but MCP. */
const serveOther = async (
  { gateway, admin, requestAccess, sessionRoutes, resource, site, pressure }: Parts,
  segments: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (resource !== undefined && isMetadataPath(segments)) {
    send(request, response, jsonReply(200, resource));
    return;
  }
  if (READING.has(request.method) && site.serves(segments)) {
    await site.answer(segments, request, response);
    return;
  }
  if (sessionRoutes.serves(segments)) {
    send(request, response, await sessionRoutes.answer(request, segments));
    return;
  }
  if (!gateway.serves(segments)) {
    // The page of a login is for everybody. Its form cannot send the proof that a change with a session needs.
    if (!isLogin(segments)) {
      const principal = await (isMetrics(segments)
        ? requestAccess.identifyCaller(request, 'readMetrics')
        : requestAccess.identify(request));
      if (principal !== undefined && isQuestion(segments, request)) {
        using _room = roomForQuestion(pressure, principal, request);
        await admin(request, response);
        return;
      }
    }
    await admin(request, response);
    return;
  }
  const caller = requestAccess.admitToGateway(request, await requestAccess.callerOf(request), segments);
  if (request.method === 'POST') pressure.guard.admit();
  await serveGateway({ gateway, pressure }, { segments, caller }, request, response);
};

const mayBePage = ({ origin, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean =>
  origin !== undefined || site !== undefined;

/** Which a foreign page cannot send without having asked first, and nobody permits it. */
const hasKey = ({ authorization, 'x-api-key': key }: IncomingMessage['headers']): boolean =>
  authorization !== undefined || key !== undefined;

const PAGES: ReadonlySet<string> = new Set(['', 'login', 'docs/api', 'openapi.json', 'v1/tools/mcp/oauth/callback']);

/** What people open by a link from elsewhere, beside the documentation. */
const isPage = (segments: readonly string[]): boolean => PAGES.has(segments.slice(0, 5).join('/')) || isLogin(segments);

type Listener = (request: IncomingMessage, response: ServerResponse, caller: Caller) => void;

/** Who takes a request as it came: MCP, and plain calls of tools. */
const listenerOf = (
  { mcp, toolCalls }: Gateway,
  { method }: IncomingMessage,
  segments: readonly string[],
): Listener | undefined => {
  const endpoint = mcp.find(segments);
  if (endpoint !== undefined) return (...turn) => mcp.handle(endpoint, ...turn);
  const address = method === 'POST' ? toolCalls.find(segments) : undefined;
  return address && ((...turn) => toolCalls.handle(address, ...turn));
};

/** Serves MCP and plain calls. Every call passes here, so it returns a promise only if it has to wait. */
const serve = (parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> | void => {
  const { gateway, requestAccess, site, publicUrl, localOnly, hubId, pressure, elsewhere } = parts;
  assertPlainHost(request.headers);
  if (localOnly) assertLocalHost(request.headers);
  assertNoLoop(request.headers, hubId);
  const segments = pathSegments(request.url ?? '/');
  if (mayBePage(request.headers) && (localOnly || !hasKey(request.headers))) {
    assertOwnSite(request, { publicUrl, isPage: isPage(segments) || site.serves(segments) });
  }
  const serveHere = listenerOf(gateway, request, segments);
  if (serveHere === undefined) return serveSite(parts, segments, request, response);
  const enter = (principal: Principal | undefined): Promise<void> | void => {
    const caller = requestAccess.admitToGateway(request, principal, segments);
    // Ending a session gives memory back.
    if (request.method !== 'DELETE') pressure.guard.admit();
    const passing = elsewhere?.(request, response, segments);
    if (passing === undefined) return serveHere(request, response, caller);
    return passing.then((isPassed) => (isPassed ? undefined : serveHere(request, response, caller)));
  };
  const principal = requestAccess.callerOf(request);
  return principal instanceof Promise ? principal.then(enter) : enter(principal);
};

/** One entry for every path: who may call, then the gateway's paths, then the admin API. */
export const nodeHandler =
  (options: NodeHandlerOptions): Handler =>
  (request, response) => {
    const refuse = (thrown: unknown): void => {
      const error = toPlugboardError(thrown);
      // A caller that disconnects in the middle of its body is not an error of the hub.
      if (error.code === 'INTERNAL' && !request.destroyed) options.onInternalError(thrown);
      send(request, response, refusal(error, options.requestAccess.challengeFor(request, error.httpStatus)));
    };
    try {
      serve(options, request, response)?.catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  };
