import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler, type NodeIncomingMessageLike, type NodeServerResponseLike } from '@modelcontextprotocol/node';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../command-line/max-message-bytes.js';
import type { ListenAddress } from '../command-line/read-settings.js';
import { McpEndpoint, type McpEndpointOptions } from './mcp-endpoint.js';
import { requestGuard } from './request-guard.js';

/** A response whose head is sent at once, so that a stream without messages is open, too. */
const promptResponse = (response: ServerResponse): NodeServerResponseLike => ({
  writeHead: (status, headers) => {
    response.writeHead(status, headers);
    if (headers?.['content-type'] === 'text/event-stream') response.flushHeaders();
  },
  write: (chunk) => response.write(chunk),
  end: (chunk) => response.end(chunk),
  on: (event, listener) => response.on(event, listener),
  get destroyed() {
    return response.destroyed;
  },
});

const CLOSE_DEADLINE_MS = 5000;

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Ends streams and sessions, lets answers finish, and cuts what is left after a deadline. */
  readonly close: () => Promise<void>;
}

/** The answer to every request that comes in over HTTP. */
export const answerHttp = (address: ListenAddress, endpoint: McpEndpoint, { program, parts }: McpEndpointOptions) => {
  const guard = requestGuard(address);
  const health = (): Response => {
    const { name, version } = program;
    const body = { status: 'ok', name, version, sessions: endpoint.sessions, ...parts.health?.() };
    return Response.json(body, { headers: { 'Cache-Control': 'no-store' } });
  };
  const route = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/mcp') return endpoint.answer(request);
    if (pathname !== '/health') return Response.json({ error: 'Not found: try /health or /mcp.' }, { status: 404 });
    if (request.method === 'GET' || request.method === 'HEAD') return health();
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
  };
  return async (request: Request): Promise<Response> => {
    const refusal = guard.refuse(request);
    if (refusal !== undefined) return refusal;
    if (request.method === 'OPTIONS') return guard.preflight(request);
    return guard.share(request, await route(request));
  };
};

export const openHttpServer = async (address: ListenAddress, options: McpEndpointOptions): Promise<HttpServer> => {
  const endpoint = new McpEndpoint(options);
  const handle = toNodeHandler(
    { fetch: answerHttp(address, endpoint, options) },
    {
      maxRequestBodySize: options.program.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
      onerror: (error) => options.log(`request failed: ${error.message}`),
    },
  );
  // The adapter has its own narrow view of a request; Node's type is wider in optional members only.
  const http = createServer(
    (request, response) => void handle(request as NodeIncomingMessageLike, promptResponse(response)),
  );
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(address.port, address.host.replaceAll(/[[\]]/gu, ''), () => {
      http.off('error', reject);
      resolve();
    });
  }).catch(async (error: unknown) => {
    await endpoint.close();
    throw error;
  });
  const { port } = http.address() as AddressInfo;
  const host = address.host.includes(':') && !address.host.startsWith('[') ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}`,
    port,
    close: async () => {
      const cut = setTimeout(() => http.closeAllConnections(), CLOSE_DEADLINE_MS);
      const closed = new Promise((resolve) => http.close(resolve));
      try {
        await endpoint.close();
        http.closeIdleConnections();
        await closed;
      } finally {
        clearTimeout(cut);
      }
    },
  };
};
