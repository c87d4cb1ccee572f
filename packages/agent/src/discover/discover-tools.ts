import type { McpClient } from '@plugboard/client';
import type { AgentServer, ToolDefinition, ToolOrigin } from '@plugboard/contract';
import { readOrigins } from './read-origins.js';

export interface Discovered {
  readonly definitions: readonly ToolDefinition[];
  /** Names that the agent allows and the server does not have. */
  readonly missing: readonly string[];
  /** Of a hub: where its tools come from. */
  readonly origins: ReadonlyMap<string, ToolOrigin>;
}

/** The tools that an agent gets from a server. Cached ones cost no request. */
export const discoverTools = async (
  server: AgentServer,
  client: McpClient,
  signal: AbortSignal | undefined,
): Promise<Discovered> => {
  const { discovery } = server;
  if (discovery.mode === 'cached') return { definitions: discovery.tools, missing: [], origins: new Map() };
  const listed = await client.listTools({ signal });
  const origins = await readOrigins(server, client, signal);
  const { allow } = discovery;
  if (allow === 'all') return { definitions: listed, missing: [], origins };
  const names = new Set(listed.map(({ name }) => name));
  return {
    definitions: listed.filter(({ name }) => allow.includes(name)),
    missing: allow.filter((name) => !names.has(name)),
    origins,
  };
};
