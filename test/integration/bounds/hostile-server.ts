import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileRequest {
  readonly id: string | number;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A result that is written as JSON, or nothing when the answer was written already. */
export type HostileAnswer = (request: HostileRequest, response: ServerResponse) => object | undefined;

export interface HostileServer extends AsyncDisposable {
  readonly url: string;
}

const INFO = { name: 'hostile', version: '1.0.0' };

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const json = (response: ServerResponse, message: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
};

/** A legacy server over Streamable HTTP that is correct but for what is said here, by method. */
export const hostileServer = async (
  answers: Readonly<Record<string, HostileAnswer>>,
  capabilities: object = { tools: {} },
): Promise<HostileServer> => {
  const all: Readonly<Record<string, HostileAnswer>> = {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities, serverInfo: INFO }),
    'tools/list': () => ({ tools: [{ name: 'plain', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
    ping: () => ({}),
    ...answers,
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(request);
    const { id, method, params = {} } = JSON.parse(text) as Partial<HostileRequest> & { method: string };
    const answer = all[method];
    if (id === undefined) {
      response.writeHead(202).end();
    } else if (answer === undefined) {
      json(response, { id, error: { code: -32_601, message: 'There is no such method.' } });
    } else {
      const result = answer({ id, params }, response);
      if (result !== undefined) json(response, { id, result });
    }
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST') void take(request, response);
    else response.writeHead(405).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await Promise.resolve();
    },
  };
};
