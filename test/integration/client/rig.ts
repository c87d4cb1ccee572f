import type { ServerConfig } from '@plugboard/contract';
import {
  createDispatcher,
  McpClient,
  type ClientEvent,
  type LaunchedProcess,
  type McpClientOptions,
} from '@plugboard/client';
import { fakeServer, type FakeServer, type FakeServerOptions } from '@plugboard/testing';

export type RigKind =
  | 'legacy stdio'
  | 'legacy streamable HTTP'
  | 'legacy streamable HTTP, SSE answers'
  | 'legacy HTTP+SSE'
  | 'modern stdio'
  | 'modern streamable HTTP'
  | 'modern streamable HTTP, SSE answers';

export const allRigs: readonly RigKind[] = [
  'legacy stdio',
  'legacy streamable HTTP',
  'legacy streamable HTTP, SSE answers',
  'legacy HTTP+SSE',
  'modern stdio',
  'modern streamable HTTP',
  'modern streamable HTTP, SSE answers',
];

export interface Rig extends AsyncDisposable {
  readonly server: FakeServer;
  readonly client: McpClient;
  readonly events: readonly ClientEvent[];
  /** HTTP clients built, or processes started. */
  readonly links: () => number;
  /** The method that opens a session in this era. */
  readonly opening: 'initialize' | 'server/discover';
}

export const isModern = (kind: RigKind): boolean => kind.startsWith('modern');
export const isStdio = (kind: RigKind): boolean => kind.endsWith('stdio');

/** A child without a process: the streams of a fake in this process. */
export const launchFake = (server: FakeServer): LaunchedProcess => {
  const link = server.connectStdio();
  const exited = link.closed.then(() => ({ code: null, signal: null, reason: 'exited' as const, stderrTail: [] }));
  return {
    pid: 0,
    stdin: link.stdin,
    stdout: link.stdout,
    stderrTail: () => [],
    exited,
    stop: async () => {
      link.cut();
      await link.closed;
    },
  };
};

const configOf = async (kind: RigKind, server: FakeServer): Promise<ServerConfig> => {
  if (isStdio(kind)) return { mcp_server_type: 'stdio', command: 'fake', args: [] };
  return kind === 'legacy HTTP+SSE'
    ? { mcp_server_type: 'sse', server_url: (await server.listenSse()).url }
    : { mcp_server_type: 'streamable_http', server_url: (await server.listenHttp()).url };
};

export interface RigOptions {
  readonly server?: FakeServerOptions;
  readonly client?: Partial<McpClientOptions>;
}

/** A fake server and a client of it. */
export const openRig = async (kind: RigKind, options: RigOptions = {}): Promise<Rig> => {
  const server = fakeServer({
    eras: isModern(kind) ? 'modern' : 'legacy',
    tools: ['echo', 'counter', 'hang', 'progress', 'sleep'],
    answers: kind.includes('SSE answers') ? 'sse' : 'auto',
    ...options.server,
  });
  const events: ClientEvent[] = [];
  let links = 0;
  const client = new McpClient({
    config: await configOf(kind, server),
    name: 'fake',
    launch: async () => {
      links += 1;
      return launchFake(server);
    },
    createDispatcher: (url, network) => {
      links += 1;
      return createDispatcher(url, network);
    },
    onEvent: (event) => events.push(event),
    deadlines: { connectMs: 10_000, callMs: 10_000, listMs: 10_000 },
    ...options.client,
  });
  return {
    server,
    client,
    events,
    links: () => links,
    opening: isModern(kind) ? 'server/discover' : 'initialize',
    [Symbol.asyncDispose]: async () => {
      await client.dispose();
      await server.close();
    },
  };
};

export const textOf = (result: unknown): string =>
  (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text ?? '';
