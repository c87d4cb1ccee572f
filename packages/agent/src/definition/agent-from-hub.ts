import type { AgentDefinition } from '@plugboard/contract';
import { parseAgent } from './parse-agent.js';

export interface HubAgentOptions {
  /** The address of the hub, such as `http://127.0.0.1:2091`. */
  readonly url: string;
  /** A key of the agent: `plugboard agent key <agent>` prints one. */
  readonly key?: string;
  /** The toolset that the agent uses instead of everything that it was given. */
  readonly toolset?: string;
  readonly name?: string;
  /** The hub has no folders: this one is that of all its tools. */
  readonly folderPath?: string;
}

/**
 * An agent of a hub. The hub decides which tools it has, keeps their secrets and calls them; here is one connection.
 */
export const agentFromHub = ({ url, key, toolset, name = 'hub', folderPath }: HubAgentOptions): AgentDefinition => {
  const path = toolset === undefined ? 'mcp' : `toolsets/${encodeURIComponent(toolset)}/mcp`;
  return parseAgent({
    name,
    servers: [
      {
        name,
        is_hub: true,
        ...(folderPath === undefined ? {} : { folder_path: folderPath }),
        config: {
          mcp_server_type: 'streamable_http',
          server_url: new URL(path, url.endsWith('/') ? url : `${url}/`).href,
          ...(key === undefined ? {} : { auth_token: `Bearer ${key}` }),
        },
      },
    ],
  });
};
