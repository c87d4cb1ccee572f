import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedCall {
  readonly id: string | number;
  readonly name: string;
  readonly params: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  /** The body as it came. */
  readonly text: string;
}

export interface ScriptedUpstream extends AsyncDisposable {
  readonly url: string;
  /** Every tools/call that arrived, executed or not. */
  readonly calls: ScriptedCall[];
  readonly notes: string[];
  /** Forgets all sessions, as a restart does. */
  forget(): void;
}

type Answer = (call: ScriptedCall, response: ServerResponse) => void;

const INFO = { name: 'scripted', version: '1.0.0' };
const MODERN = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': INFO } };

export const resultText = (call: Pick<ScriptedCall, 'id'>, result: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: call.id, result });

export const sendJson = (response: ServerResponse, text: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
};

export const sendEvents = (response: ServerResponse, ...messages: readonly string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(messages.map((message) => `event: message\ndata: ${message}\n\n`).join(''));
};

const listOf = (tools: readonly object[], modern: boolean): object =>
  modern ? { ...MODERN, tools, ttlMs: 0, cacheScope: 'public' } : { tools };

/** A server over Streamable HTTP whose tools answer exactly as told. */
export const scriptedUpstream = async (
  era: 'legacy' | 'modern',
  tools: Readonly<Record<string, Answer>>,
  definitions: Readonly<Record<string, object>> = {},
): Promise<ScriptedUpstream> => {
  const calls: ScriptedCall[] = [];
  const notes: string[] = [];
  const sessions = new Set<string>();
  const list = Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' }, ...definitions[name] }));
  const greet = (id: number, response: ServerResponse): void => {
    const session = `s${sessions.size + 1}-${Math.random()}`;
    sessions.add(session);
    response.setHeader('mcp-session-id', session);
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: INFO };
    sendJson(response, resultText({ id }, result));
  };
  const answer = (request: IncomingMessage, text: string, response: ServerResponse): void => {
    const {
      id,
      method,
      params = {},
    } = JSON.parse(text) as {
      id?: number;
      method: string;
      params?: Record<string, unknown>;
    };
    if (id === undefined) {
      notes.push(method);
      response.writeHead(202).end();
    } else if (method === 'initialize' && era === 'legacy') {
      greet(id, response);
    } else if (method === 'server/discover' && era === 'modern') {
      const found = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'public' };
      sendJson(response, resultText({ id }, { ...MODERN, ...found }));
    } else if (era === 'legacy' && !sessions.has(String(request.headers['mcp-session-id']))) {
      if (method === 'tools/call') notes.push('refused');
      response.writeHead(404).end();
    } else if (method === 'tools/list') {
      sendJson(response, resultText({ id }, listOf(list, era === 'modern')));
    } else if (method === 'tools/call') {
      const call = { id, name: String(params['name']), params, headers: request.headers, text };
      calls.push(call);
      tools[call.name]?.(call, response);
    } else {
      sendJson(response, JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }), 404);
    }
  };
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    notes,
    forget: () => sessions.clear(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
