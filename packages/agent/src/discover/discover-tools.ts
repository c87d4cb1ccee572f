import type { McpClient } from '@plugboard/client';
import type { AgentServer, ToolDefinition } from '@plugboard/contract';

export interface Discovered {
  readonly definitions: readonly ToolDefinition[];
  /** Names that the agent allows and the server does not have. */
  readonly missing: readonly string[];
}

/** The tools that an agent gets from a server. Cached ones cost no request. */
export const discoverTools = async (
  { discovery }: AgentServer,
  client: McpClient,
  signal: AbortSignal | undefined,
): Promise<Discovered> => {
  if (discovery.mode === 'cached') return { definitions: discovery.tools, missing: [] };
  const listed = await client.listTools({ signal });
  const { allow } = discovery;
  if (allow === 'all') return { definitions: listed, missing: [] };
  const names = new Set(listed.map(({ name }) => name));
  return {
    definitions: listed.filter(({ name }) => allow.includes(name)),
    missing: allow.filter((name) => !names.has(name)),
  };
};
