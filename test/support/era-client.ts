import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** How a client comes to the hub. HTTP+SSE exists in the legacy era only. */
export type Door = 'legacy' | 'modern' | 'sse';
export const DOORS: readonly Door[] = ['legacy', 'modern', 'sse'];

type Nothing = Record<string, never>;

export interface EraClientOptions {
  readonly capabilities?: { readonly elicitation?: Nothing; readonly sampling?: Nothing; readonly roots?: Nothing };
  readonly timeoutMs?: number;
}

/** An official client of one era. */
export interface EraClient extends AsyncDisposable {
  /** The text of the answer. */
  call(name: string, args?: Record<string, unknown>, onProgress?: (progress: unknown) => void): Promise<string>;
  tools(): Promise<readonly string[]>;
}

const INFO = { name: 'probe', version: '1.0.0' };
const textOf = (result: unknown): string =>
  (result as { readonly content?: readonly { readonly text?: string }[] }).content?.[0]?.text ?? '';

const legacyClient = async (
  transport: LegacyTransport | SSEClientTransport,
  { capabilities = {}, timeoutMs: timeout = 60_000 }: EraClientOptions,
): Promise<EraClient> => {
  const client = new LegacyClient(INFO, { capabilities });
  await client.connect(transport, { timeout });
  return {
    call: async (name, args = {}, onprogress) =>
      textOf(
        await client.callTool({ name, arguments: args }, undefined, {
          timeout,
          ...(onprogress === undefined ? {} : { onprogress }),
        }),
      ),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    [Symbol.asyncDispose]: () => client.close(),
  };
};

const modernClient = async (
  url: URL,
  { capabilities = {}, timeoutMs: timeout = 60_000 }: EraClientOptions,
): Promise<EraClient> => {
  const client = new ModernClient(INFO, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new ModernTransport(url), { timeout });
  return {
    call: async (name, args = {}, onprogress) =>
      textOf(
        await client.callTool(
          { name, arguments: args },
          { timeout, ...(onprogress === undefined ? {} : { onprogress }) },
        ),
      ),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    [Symbol.asyncDispose]: () => client.close(),
  };
};

/** @param base the path of the endpoint without its last part: '' for all servers, '/servers/x' for one. */
export const connectThrough = (
  door: Door,
  hubUrl: string,
  base: string,
  options: EraClientOptions = {},
): Promise<EraClient> => {
  const url = new URL(`${base}/${door === 'sse' ? 'sse' : 'mcp'}`, hubUrl);
  switch (door) {
    case 'legacy':
      return legacyClient(new LegacyTransport(url), options);
    case 'sse':
      return legacyClient(new SSEClientTransport(url), options);
    case 'modern':
      return modernClient(url, options);
  }
};
