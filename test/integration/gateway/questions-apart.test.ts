import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

const INFO = { name: 'probe', version: '1.0.0' };
const ASKABLE = { capabilities: { elicitation: {} } };

const askFor = (field: string) => ({
  mode: 'form' as const,
  message: `Your ${field}?`,
  requestedSchema: { type: 'object' as const, properties: { [field]: { type: 'string' as const } }, required: [field] },
});

/** As the examples of SDK 1.x do it: `elicitInput()` names no request, so its question comes on the GET stream. */
const askingServer = (): McpServer => {
  const server = new McpServer({ name: 'asking', version: '1.0.0' });
  server.registerTool('register', { description: 'Asks twice.' }, async () => {
    const name = await server.server.elicitInput(askFor('name'));
    const email = await server.server.elicitInput(askFor('email'));
    return { content: [{ type: 'text', text: JSON.stringify([name.content, email.content]) }] };
  });
  return server;
};

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
};

/** A stateful server of SDK 1.x, without an event store: what is sent while nobody listens is lost. */
const listen = (): Promise<Server> => {
  const sessions = new Map<unknown, StreamableHTTPServerTransport>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readJson(request);
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known !== undefined) return known.handleRequest(request, response, body);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await askingServer().connect(transport);
    await transport.handleRequest(request, response, body);
  };
  const server = createServer((request, response) => void serve(request, response));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
};

type Answers = (message: string) => Record<string, string>;

const modernClient = async (url: URL, answers: Answers): Promise<ModernClient> => {
  const client = new ModernClient(INFO, { ...ASKABLE, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: answers(params.message),
  }));
  await client.connect(new ModernTransport(url));
  return client;
};

const legacyClient = async (url: URL, answers: Answers): Promise<LegacyClient> => {
  const client = new LegacyClient(INFO, ASKABLE);
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: 'accept',
    content: answers(params.message),
  }));
  await client.connect(new LegacyTransport(url));
  return client;
};

/** Says who answered what. */
const answersOf =
  (who: string): Answers =>
  (message) => ({ [message.includes('name') ? 'name' : 'email']: `${who}: ${message}` });

const expected = (who: string): string =>
  JSON.stringify([{ name: `${who}: Your name?` }, { email: `${who}: Your email?` }]);

describe('a legacy server that asks on the stream of its session', () => {
  let upstream: Server;
  let hub: RealHub;

  beforeAll(async () => {
    upstream = await listen();
    hub = await startRealHub();
    const { port } = upstream.address() as AddressInfo;
    await addServer(hub, 'asking', httpConfig(`http://127.0.0.1:${port}/mcp`));
  });

  afterAll(async () => {
    await hub.close();
    upstream.closeAllConnections();
    upstream.close();
  });

  it.each([
    ['modern', modernClient],
    ['legacy', legacyClient],
  ])('asks the %s client whose call is under way', async (era, connect) => {
    const client = await connect(new URL('/servers/asking/mcp', hub.url), answersOf(era));
    const result = await client.callTool({ name: 'register', arguments: {} });
    expect(result.content).toEqual([{ type: 'text', text: expected(era) }]);
    await client.close();
  });

  it('asks each of several modern clients about its own call', async () => {
    const names = ['Ada', 'Bob', 'Cleo'];
    const asked = await Promise.all(
      names.map(async (name) => {
        const client = await modernClient(new URL('/mcp', hub.url), answersOf(name));
        const { content } = await client.callTool({ name: 'asking__register', arguments: {} });
        await client.close();
        return content;
      }),
    );
    expect(asked).toEqual(names.map((name) => [{ type: 'text', text: expected(name) }]));
  });
});
