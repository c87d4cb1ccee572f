import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';
import { acceptsStream, parsed, readable } from './readable-request.js';

/** A refusal that names no request, because none was read. */
const rpcRefusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

const BATCH_REVISION = '2025-03-26';

interface LegacySession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  usedAt: number;
}

export interface LegacySessionsOptions {
  readonly makeServer: (request: Request) => McpServer;
  readonly maxMessageBytes: number;
  readonly maxSessions?: number;
  readonly idleMs?: number;
  readonly now?: () => number;
}

/** The sessions of clients that open with `initialize`: bounded in number, ended by DELETE, by idleness, or with us. */
export class LegacySessions {
  readonly #sessions = new Map<string, LegacySession>();
  readonly #options: Required<LegacySessionsOptions>;

  constructor(options: LegacySessionsOptions) {
    this.#options = { maxSessions: 1000, idleMs: 30 * 60_000, now: Date.now, ...options };
  }

  get size(): number {
    return this.#sessions.size;
  }

  async open(request: Request, body: unknown): Promise<Response> {
    await this.#makeRoom();
    const { makeServer, maxMessageBytes, now } = this.#options;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      // Clients that cannot read a stream get each answer as one JSON body.
      enableJsonResponse: !acceptsStream(request),
      maxRequestBodySize: maxMessageBytes,
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, server, usedAt: now() }),
    });
    const server = makeServer(request);
    await server.connect(transport);
    server.server.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    const response = await transport.handleRequest(readable(request), { parsedBody: body });
    // An initialize that was refused has no session that could end it.
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  async use(id: string, request: Request, body: unknown): Promise<Response> {
    const session = this.#sessions.get(id);
    if (session === undefined) return rpcRefusal(404, -32_001, 'Session not found.');
    session.usedAt = this.#options.now();
    if (Array.isArray(body) && session.server.server.getNegotiatedProtocolVersion() !== BATCH_REVISION) {
      return rpcRefusal(400, -32_600, 'Batches are not part of this revision of the protocol.');
    }
    return session.transport.handleRequest(readable(request), parsed(body));
  }

  async closeIdle(): Promise<void> {
    const before = this.#options.now() - this.#options.idleMs;
    await this.#close([...this.#sessions.values()].filter(({ usedAt }) => usedAt < before));
  }

  async close(): Promise<void> {
    await this.#close([...this.#sessions.values()]);
  }

  async #makeRoom(): Promise<void> {
    if (this.#sessions.size < this.#options.maxSessions) return;
    await this.closeIdle();
    if (this.#sessions.size < this.#options.maxSessions) return;
    const [oldest] = [...this.#sessions.values()].sort((a, b) => a.usedAt - b.usedAt);
    if (oldest !== undefined) await this.#close([oldest]);
  }

  async #close(sessions: readonly LegacySession[]): Promise<void> {
    await Promise.all(sessions.map(({ transport }) => transport.close()));
  }
}
