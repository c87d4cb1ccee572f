import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SSEClientTransport as SseOfSdk1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runProgram } from '../../support/run-program.js';
import { newerNode, programFile } from '../../support/test-program.js';

/** What a user does first with a new endpoint. */
export interface FirstUse {
  readonly tools: readonly string[];
  readonly text: string;
}

export interface Visit {
  readonly url: string;
  /** A tool without arguments. */
  readonly tool: string;
  /** A home of its own: some clients write to it. */
  readonly home: string;
}

export interface RealClient {
  readonly name: string;
  readonly visit: (visit: Visit) => Promise<FirstUse>;
}

type Mode = 'legacy' | { readonly pin: '2026-07-28' };
const MODERN: Mode = { pin: '2026-07-28' };

interface Listed {
  readonly tools: readonly { readonly name: string }[];
}

const namesIn = ({ tools }: Listed): readonly string[] => tools.map(({ name }) => name);
const textIn = (result: unknown): string =>
  (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text ?? '';

const withSdk1 = async (transport: HttpOfSdk1 | SseOfSdk1, tool: string): Promise<FirstUse> => {
  const client = new ClientOfSdk1({ name: 'sdk-1', version: '1.0.0' });
  await client.connect(transport);
  try {
    return { tools: namesIn(await client.listTools()), text: textIn(await client.callTool({ name: tool })) };
  } finally {
    await client.close();
  }
};

const withSdk2 = async (transport: Transport, mode: Mode, tool: string): Promise<FirstUse> => {
  const client = new Client({ name: 'sdk-2', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  try {
    return { tools: namesIn(await client.listTools()), text: textIn(await client.callTool({ name: tool })) };
  } finally {
    await client.close();
  }
};

/** A desktop client that knows only stdio, with the proxy of the same name in between. */
const withRemote = async ({ url, tool, home }: Visit, mode: Mode): Promise<FirstUse> => {
  const transport = new StdioClientTransport({
    command: newerNode(),
    args: [programFile('mcp-remote/dist/proxy.js'), url, '--allow-http', '--silent'],
    env: { HOME: home, MCP_REMOTE_CONFIG_DIR: home },
    stderr: 'ignore',
  });
  return await withSdk2(transport, mode, tool);
};

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const INSPECTOR_FLAGS = ['--transport', 'http', '--format', 'json', '--quiet'];

const inspect = async ({ url, home }: Visit, era: 'legacy' | 'modern', method: readonly string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await runProgram({
    command: newerNode(),
    args: [programFile(INSPECTOR), '--cli', url, '--protocol-era', era, ...INSPECTOR_FLAGS, '--method', ...method],
    env: { HOME: home },
    cwd: home,
    deadlineMs: 45_000,
  });
  if (code !== 0) throw new Error(`The inspector ended with ${code}: ${stderr}`);
  return (JSON.parse(stdout) as { readonly result: unknown }).result;
};

const withInspector = async (visit: Visit, era: 'legacy' | 'modern'): Promise<FirstUse> => ({
  tools: namesIn((await inspect(visit, era, ['tools/list'])) as Listed),
  text: textIn(await inspect(visit, era, ['tools/call', '--tool-name', visit.tool])),
});

export const realClients: readonly RealClient[] = [
  { name: 'the official SDK 1.x', visit: ({ url, tool }) => withSdk1(new HttpOfSdk1(new URL(url)), tool) },
  {
    name: 'the official SDK 2.x, legacy',
    visit: ({ url, tool }) => withSdk2(new StreamableHTTPClientTransport(new URL(url)), 'legacy', tool),
  },
  {
    name: 'the official SDK 2.x, modern',
    visit: ({ url, tool }) => withSdk2(new StreamableHTTPClientTransport(new URL(url)), MODERN, tool),
  },
  { name: 'mcp-remote, legacy', visit: (visit) => withRemote(visit, 'legacy') },
  { name: 'mcp-remote, modern', visit: (visit) => withRemote(visit, MODERN) },
  { name: 'the inspector, legacy', visit: (visit) => withInspector(visit, 'legacy') },
  { name: 'the inspector, modern', visit: (visit) => withInspector(visit, 'modern') },
];

/** The transport of 2024-11-05, which has endpoints of its own. */
export const sseClient: RealClient = {
  name: 'the official SDK 1.x over HTTP+SSE',
  visit: ({ url, tool }) => withSdk1(new SseOfSdk1(new URL(url)), tool),
};
