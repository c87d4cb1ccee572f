import { assignNames } from '@plugboard/schema';
import type { StoredEntry } from '../store/store.js';

const keyOf = (serverName: string, upstreamName: string): string => JSON.stringify([serverName, upstreamName]);

/** The name under which the hub offers a tool. */
export type ToolName = (serverName: string, upstreamName: string) => string;

/** Names for the tools of all servers: the configured name of the server, then the tool's own. */
export const toolNames = (entries: readonly StoredEntry[]): ToolName => {
  const names = assignNames(
    entries.flatMap(({ server: { server }, tools }) =>
      tools.map((tool) => ({
        key: keyOf(server.server_name, tool.upstreamName),
        server: server.server_name,
        tool: tool.upstreamName,
      })),
    ),
  );
  return (serverName, upstreamName) => names.get(keyOf(serverName, upstreamName)) ?? upstreamName;
};
