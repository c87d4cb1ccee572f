import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { AnnouncementBoard } from '../announcement-board.js';
import type { ServerParts, ServerProgram } from '../server-program.js';
import { answerStateless } from './answer-stateless.js';
import { eventStream } from './event-stream.js';
import { acceptsStream, LegacySessions } from './legacy-sessions.js';

const SWEEP_MS = 60_000;
export const DEFAULT_MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export interface McpEndpointOptions {
  readonly program: ServerProgram;
  readonly parts: ServerParts;
  readonly board: AnnouncementBoard;
  readonly log: (line: string) => void;
}

/** `/mcp`: modern requests one by one; legacy ones in their session, or alone when they name none. */
export class McpEndpoint {
  readonly #modern: McpHttpHandler;
  readonly #sessions: LegacySessions;
  readonly #parts: ServerParts;
  readonly #program: ServerProgram;
  readonly #maxMessageBytes: number;
  readonly #closing = new AbortController();
  readonly #sweep: NodeJS.Timeout;

  constructor({ program, parts, board, log }: McpEndpointOptions) {
    this.#parts = parts;
    this.#program = program;
    this.#maxMessageBytes = program.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.#modern = createMcpHandler(parts.makeServer, {
      legacy: 'reject',
      maxRequestBodySize: this.#maxMessageBytes,
      onerror: (error) => log(`request refused: ${error.message}`),
    });
    this.#sessions = new LegacySessions({
      makeServer: (request) => this.#legacyServer(request),
      board,
      maxMessageBytes: this.#maxMessageBytes,
    });
    board.subscriptions(this.#modern.notify);
    this.#sweep = setInterval(() => void this.#sessions.closeIdle(), SWEEP_MS);
    this.#sweep.unref();
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  async answer(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: this.#maxMessageBytes })))
      return this.#modern.fetch(request);
    const sessionId = request.headers.get('mcp-session-id');
    if (sessionId !== null) return this.#sessions.use(sessionId, request);
    if (request.method === 'GET') return this.#openStream(request);
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'GET, POST, DELETE' } });
    const body = await bodyOf(request);
    if (isInitializeRequest(body)) return this.#sessions.open(request, body);
    return answerStateless(request, this.#legacyServer(request), this.#maxMessageBytes);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#closing.abort();
    await Promise.all([this.#sessions.close(), this.#modern.close()]);
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
    return await request.clone().json();
  } catch {
    return undefined;
  }
};
