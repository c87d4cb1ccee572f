import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const PROGRAM = fileURLToPath(new URL('login-server.mjs', import.meta.url));

export const LOGIN_TRANSPORTS = ['stdio', 'streamable_http', 'sse'] as const;
export type LoginTransport = (typeof LOGIN_TRANSPORTS)[number];

export interface LoginServer extends AsyncDisposable {
  /** To register it with. */
  readonly config: Readonly<Record<string, unknown>>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const newServer = async (): Promise<McpServer> => {
  const { loginServer } = (await import(PROGRAM)) as { readonly loginServer: () => McpServer };
  return loginServer();
};

const overStreamableHttp = (): Answer => {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
    if (known === undefined) await (await newServer()).connect(transport);
    await transport.handleRequest(request, response);
  };
};

const overSse = (): Answer => {
  const sessions = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      await (await newServer()).connect(transport);
      return;
    }
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? '';
    const transport = sessions.get(id);
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handlePostMessage(request, response);
  };
};

/** A server of the official SDK 1.x whose lists differ from session to session, see `login-server.mjs`. */
export const startLoginServer = async (transport: LoginTransport): Promise<LoginServer> => {
  if (transport === 'stdio') {
    const config = { mcp_server_type: transport, command: process.execPath, args: [PROGRAM] };
    return { config, [Symbol.asyncDispose]: async () => undefined };
  }
  const answer = transport === 'sse' ? overSse() : overStreamableHttp();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    config: { mcp_server_type: transport, server_url: `${origin}/${transport === 'sse' ? 'sse' : 'mcp'}` },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
