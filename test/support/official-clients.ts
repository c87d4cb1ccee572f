import { PassThrough } from 'node:stream';
import { Client, InMemoryTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as HttpOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TransportOfSdk1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

export type Era = 'legacy' | 'modern';

/** What an official client is asked to do, whichever one it is. */
export interface OfficialClient extends AsyncDisposable {
  readonly name: string;
  readonly era: Era;
  readonly ask: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

interface Request {
  readonly id?: string | number;
  readonly method: string;
}

/** Answers a request of a client, without any server behind it. */
export type Answerer = (method: string, era: Era) => unknown;

const CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} };
const INFO = { name: 'scripted', version: '1' };

const greetingFor = (method: string): unknown => {
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, serverInfo: INFO };
  if (method !== 'server/discover') return undefined;
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: CAPABILITIES,
    ttlMs: 0,
    cacheScope: 'private',
  };
};

/** The far end of a pipe: greets, and answers what it is told to. */
const serve = (far: TransportOfSdk1 | InMemoryTransport, era: Era, answer: Answerer): void => {
  far.onmessage = (message: unknown) => {
    const { id, method } = message as Request;
    if (id === undefined) return;
    const result = greetingFor(method) ?? answer(method, era);
    void (far as TransportOfSdk1).send({ jsonrpc: '2.0', id, result: result as Record<string, unknown> });
  };
};

type Asking = Pick<
  Client,
  | 'listTools'
  | 'listPrompts'
  | 'listResources'
  | 'listResourceTemplates'
  | 'callTool'
  | 'readResource'
  | 'getPrompt'
  | 'complete'
>;

/** The methods that users call, so that whatever a client does around a request is done. */
const askWith =
  (client: Asking) =>
  async (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
    const fresh = { cacheMode: 'refresh' } as const;
    switch (method) {
      case 'tools/list':
        return client.listTools(undefined, fresh);
      case 'prompts/list':
        return client.listPrompts(undefined, fresh);
      case 'resources/list':
        return client.listResources(undefined, fresh);
      case 'resources/templates/list':
        return client.listResourceTemplates(undefined, fresh);
      case 'tools/call':
        return client.callTool(params as Parameters<Client['callTool']>[0]);
      case 'resources/read':
        return client.readResource(params as Parameters<Client['readResource']>[0], fresh);
      case 'prompts/get':
        return client.getPrompt(params as Parameters<Client['getPrompt']>[0]);
      case 'completion/complete':
        return client.complete(params as Parameters<Client['complete']>[0]);
      default:
        throw new Error(`no client method for ${method}`);
    }
  };

/** Which client it was that refused. */
const naming =
  (name: string, ask: OfficialClient['ask']): OfficialClient['ask'] =>
  async (method, params) => {
    try {
      return await ask(method, params);
    } catch (thrown) {
      throw new Error(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
    }
  };

const ofSdk1 = async (name: string, transport: Parameters<ClientOfSdk1['connect']>[0]): Promise<OfficialClient> => {
  const client = new ClientOfSdk1({ name: 'sdk-1', version: '1.0.0' });
  await client.connect(transport);
  return {
    name,
    era: 'legacy',
    ask: naming(name, askWith(client as unknown as Asking)),
    [Symbol.asyncDispose]: () => client.close(),
  };
};

const ofSdk2 = async (name: string, era: Era, transport: Transport): Promise<OfficialClient> => {
  const mode = era === 'legacy' ? 'legacy' : ({ pin: '2026-07-28' } as const);
  const client = new Client({ name: 'sdk-2', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { name, era, ask: naming(name, askWith(client)), [Symbol.asyncDispose]: () => client.close() };
};

const pipeOfSdk1 = (answer: Answerer): TransportOfSdk1 => {
  const [near, far] = TransportOfSdk1.createLinkedPair();
  serve(far, 'legacy', answer);
  void far.start();
  return near;
};

const pipeOfSdk2 = (era: Era, answer: Answerer): InMemoryTransport => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serve(far, era, answer);
  void far.start();
  return near;
};

/** Every official client and era, over pipes in this process whose other end answers as told. */
export const officialClients = (answer: Answerer): Promise<readonly OfficialClient[]> =>
  Promise.all([
    ofSdk1('SDK 1.x', pipeOfSdk1(answer)),
    ofSdk2('SDK 2.x, legacy', 'legacy', pipeOfSdk2('legacy', answer)),
    ofSdk2('SDK 2.x, modern', 'modern', pipeOfSdk2('modern', answer)),
  ]);

/** Every official client and era at one endpoint of a hub. */
export const officialClientsAt = (url: string): Promise<readonly OfficialClient[]> =>
  Promise.all([
    ofSdk1(`SDK 1.x at ${url}`, new HttpOfSdk1(new URL(url)) as Parameters<ClientOfSdk1['connect']>[0]),
    ofSdk2(`SDK 2.x, legacy, at ${url}`, 'legacy', new StreamableHTTPClientTransport(new URL(url))),
    ofSdk2(`SDK 2.x, modern, at ${url}`, 'modern', new StreamableHTTPClientTransport(new URL(url))),
  ]);

/** Serves two pipes until the input ends or it is told to stop. */
type ServePipes = (
  streams: { readonly input: PassThrough; readonly output: PassThrough },
  signal: AbortSignal,
) => Promise<void>;

/** Every official client and era over pipes, as a desktop program has them that starts the hub. */
export const officialClientsOver = async (name: string, serve: ServePipes): Promise<readonly OfficialClient[]> => {
  const over = async (connect: (pipes: StdioServerTransport) => Promise<OfficialClient>): Promise<OfficialClient> => {
    const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
    const serving = serve({ input, output }, stop.signal);
    // Both ends of a pipe do the same: a line is a message.
    const client = await connect(new StdioServerTransport(output, input));
    return {
      ...client,
      [Symbol.asyncDispose]: async () => {
        await client[Symbol.asyncDispose]();
        stop.abort();
        await serving;
      },
    };
  };
  return Promise.all([
    over((pipes) => ofSdk1(`SDK 1.x over ${name}`, pipes)),
    over((pipes) => ofSdk2(`SDK 2.x, legacy, over ${name}`, 'legacy', pipes as unknown as Transport)),
    over((pipes) => ofSdk2(`SDK 2.x, modern, over ${name}`, 'modern', pipes as unknown as Transport)),
  ]);
};

/** The official client of the transport of 2024-11-05. */
export const officialSseClient = (url: string): Promise<OfficialClient> =>
  ofSdk1(`SDK 1.x at ${url}`, new SSEClientTransport(new URL(url)));
