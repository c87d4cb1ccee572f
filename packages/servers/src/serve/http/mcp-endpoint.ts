import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../command-line/max-message-bytes.js';
import { withKnownMembers } from '../message/known-members.js';
import { screenRequest } from '../message/screen-request.js';
import type { ServerParts, ServerProgram } from '../command-line/server-program.js';
import { eventStream } from './event-stream.js';
import { LegacySessions } from './legacy-sessions.js';
import { acceptsStream, parsed, readable } from './readable-request.js';

const SWEEP_MS = 60_000;

export interface McpEndpointOptions {
  readonly program: ServerProgram;
  readonly parts: ServerParts;
  readonly log: (line: string) => void;
}

interface StatelessMessage {
  /** An instance for this message alone. */
  readonly server: McpServer;
  /** The body when it could be parsed. */
  readonly body: unknown;
}

/** A legacy message outside of any session: served by an instance of its own and answered as one JSON body. */
const answerStateless = async (request: Request, { server, body }: StatelessMessage): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  let leave = (): void => undefined;
  // A caller who left waits for nothing: closing the server tells its tools.
  const left = new Promise<Response>((resolve) => {
    leave = () => resolve(new Response(null, { status: 499 }));
    request.signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([transport.handleRequest(readable(request), parsed(body)), left]);
  } finally {
    request.signal.removeEventListener('abort', leave);
    await server.close();
  }
};

/** `/mcp`: modern requests one by one; legacy ones in their session, or alone when they name none. */
export class McpEndpoint {
  readonly #modern: McpHttpHandler;
  readonly #sessions: LegacySessions;
  readonly #parts: ServerParts;
  readonly #program: ServerProgram;
  readonly #closing = new AbortController();
  readonly #sweep: NodeJS.Timeout;

  constructor({ program, parts, log }: McpEndpointOptions) {
    this.#parts = parts;
    this.#program = program;
    const maxMessageBytes = program.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.#modern = createMcpHandler(parts.makeServer, {
      legacy: 'reject',
      maxRequestBodySize: maxMessageBytes,
      onerror: (error) => log(`request refused: ${error.message}`),
    });
    this.#sessions = new LegacySessions({
      makeServer: (request) => this.#legacyServer(request),
      maxMessageBytes,
    });
    this.#sweep = setInterval(() => void this.#sessions.closeIdle(), SWEEP_MS);
    this.#sweep.unref();
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  async answer(request: Request): Promise<Response> {
    // Read once and handed on: a document as base64 is large enough to be parsed only once.
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    const failure = screenRequest(body);
    if (failure !== undefined) return Response.json(failure);
    if (!(await isLegacyRequest(request, body))) return this.#modern.fetch(request, { parsedBody: body });
    return this.#answerLegacy(request, body);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#closing.abort();
    await Promise.all([this.#sessions.close(), this.#modern.close()]);
  }

  async #answerLegacy(request: Request, body: unknown): Promise<Response> {
    const sessionId = request.headers.get('mcp-session-id');
    if (sessionId !== null) return this.#sessions.use(sessionId, request, body);
    if (request.method === 'GET') return this.#openStream(request);
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'GET, POST, DELETE' } });
    if (isInitializeRequest(body)) return this.#sessions.open(request, body);
    return answerStateless(request, { server: this.#legacyServer(request), body });
  }

  #legacyServer(requestInfo: Request): McpServer {
    return this.#parts.makeServer({ era: 'legacy', requestInfo });
  }

  #openStream(request: Request): Response {
    if (!acceptsStream(request)) return new Response(null, { status: 406 });
    const { name, version } = this.#program;
    return eventStream({ name, version }, this.#closing.signal);
  }
}

/** What cannot be read is left to the transport, which knows how to refuse it. */
const bodyOf = async (request: Request): Promise<unknown> => {
  try {
    return withKnownMembers(await request.clone().json());
  } catch {
    return undefined;
  }
};
