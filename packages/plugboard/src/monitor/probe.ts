import { type MonitorSample, type Server, toPlugboardError, type ToolDefinition } from '@plugboard/contract';
import type { MonitorSettings } from '../settings/monitor-settings.js';

/** A connection to the server, as far as a probe needs it. */
export interface ProbeClient {
  readonly isInitialized: boolean;
  readonly instructions: string | undefined;
  readonly protocol: { readonly era: 'legacy' | 'modern' } | undefined;
  connect(options: { readonly signal: AbortSignal }): Promise<void>;
  request(method: string, params: undefined, options: { readonly signal: AbortSignal }): Promise<unknown>;
  listTools(options: { readonly signal: AbortSignal }): Promise<readonly ToolDefinition[]>;
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly isError?: boolean | undefined }>;
}

/** Lends a connection to the server to some work. */
export type UseClient = <T>(server: Server, work: (client: ProbeClient) => Promise<T>) => Promise<T>;

export interface ProbeResult {
  readonly samples: readonly MonitorSample[];
  /** Why the first step that failed did so. */
  readonly reason: string | undefined;
  readonly tools: readonly ToolDefinition[] | undefined;
  /** What the server tells models about itself; empty when it tells nothing. */
  readonly instructions: string;
}

/** A call that does no harm. */
export interface Canary {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What may be called: the tool that the operator named for this server, or one that is harmless. */
export const chooseCanary = async (
  server: Pick<Server, 'server_name'>,
  tools: readonly ToolDefinition[],
  { canary, canaries }: Pick<MonitorSettings, 'canary' | 'canaries'>,
): Promise<Canary | undefined> => {
  const named = Object.hasOwn(canaries, server.server_name) ? canaries[server.server_name] : undefined;
  if (named !== undefined) return { tool: named.tool, arguments: named.arguments ?? {} };
  if (canary !== 'harmless') return undefined;
  // The rules of the referee are much code, which few hubs need.
  const { harmlessCanary } = await import('./harmless-canary.js');
  return harmlessCanary(tools);
};

/** Opens the connection, or asks whether the open one is alive. */
const handshake = async (client: ProbeClient, signal: AbortSignal): Promise<void> => {
  if (!client.isInitialized) await client.connect({ signal });
  else await client.request(client.protocol?.era === 'modern' ? 'server/discover' : 'ping', undefined, { signal });
};

const TOOL_ERROR = 'TOOL_ERROR';

export interface ProbeOptions {
  readonly signal: AbortSignal;
  readonly canaryAmong: (tools: readonly ToolDefinition[]) => Promise<Canary | undefined>;
}

/** Handshake, list and canary, one after the other; what follows a failure is not tried. */
export const probe = async (
  server: Server,
  use: UseClient,
  { signal, canaryAmong }: ProbeOptions,
): Promise<ProbeResult> => {
  const samples: MonitorSample[] = [];
  let tools: readonly ToolDefinition[] | undefined;
  let [reason, instructions]: [string | undefined, string] = [undefined, ''];
  const step = async (
    method: MonitorSample['method'],
    tool: string | null,
    work: () => Promise<string | void>,
  ): Promise<boolean> => {
    const began = performance.now();
    const failed = await work().catch((error: unknown) => {
      const known = toPlugboardError(error);
      reason = known.message;
      return known.code;
    });
    const code = failed ?? null;
    samples.push({
      at: new Date().toISOString(),
      server_id: server.id,
      method,
      tool,
      ok: code === null,
      code,
      duration_ms: performance.now() - began,
    });
    return code === null;
  };
  const opened = await step('handshake', null, () => use(server, (client) => handshake(client, signal)));
  const listed =
    opened &&
    (await step('tools/list', null, async () => {
      tools = await use(server, async (client) => {
        instructions = client.instructions ?? '';
        return await client.listTools({ signal });
      });
    }));
  const canary = listed ? await canaryAmong(tools ?? []) : undefined;
  if (canary !== undefined) {
    await step('tools/call', canary.tool, async () => {
      const result = await use(server, (client) => client.callTool(canary.tool, canary.arguments, { signal }));
      if (result.isError !== true) return undefined;
      reason = `The canary tool ${canary.tool} returned an error.`;
      return TOOL_ERROR;
    });
  }
  return { samples, reason, tools, instructions };
};
