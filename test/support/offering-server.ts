import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OfferingServer extends AsyncDisposable {
  readonly url: string;
  /** What each method is answered with from now on, whatever it is. */
  readonly results: Map<string, unknown>;
  /** A method is answered once its gate opens; without a gate, at once. */
  readonly gates: Map<string, Promise<void>>;
  /** How often each method was asked. */
  readonly asked: Map<string, number>;
}

const CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} };
const INFO = { name: 'offering', version: '1' };

const envelope = (era: 'legacy' | 'modern', result: unknown): unknown =>
  era === 'modern' && typeof result === 'object' && result !== null && !Array.isArray(result)
    ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result }
    : result;

const greetingFor = (era: 'legacy' | 'modern', method: string): unknown => {
  if (era === 'legacy' && method === 'initialize') {
    return { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, serverInfo: INFO };
  }
  if (era !== 'modern' || method !== 'server/discover') return undefined;
  return envelope(era, { supportedVersions: ['2026-07-28'], capabilities: CAPABILITIES });
};

/** A server over Streamable HTTP without sessions that answers with exactly what it is told, sound or not. */
export const offeringServer = async (era: 'legacy' | 'modern'): Promise<OfferingServer> => {
  const results = new Map<string, unknown>();
  const asked = new Map<string, number>();
  const gates = new Map<string, Promise<void>>();
  const answer = async (text: string, response: ServerResponse): Promise<void> => {
    const { id, method } = JSON.parse(text) as { readonly id?: number; readonly method: string };
    asked.set(method, (asked.get(method) ?? 0) + 1);
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    await gates.get(method);
    const result = results.has(method) ? envelope(era, results.get(method)) : greetingFor(era, method);
    const body =
      result === undefined
        ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }
        : { jsonrpc: '2.0', id, result };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request: IncomingMessage, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(Buffer.concat(chunks).toString(), response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    results,
    asked,
    gates,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
