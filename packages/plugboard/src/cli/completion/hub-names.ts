import { agentClient } from '../../hub-api/client/entry-client.js';
import { type HubClient } from '../../hub-api/client/hub-client.js';
import { parametersOf } from '../render/parameters.js';
import { briefly } from '../render/tool-words.js';
import { printableLine } from '../../terminal/printable.js';
import type { NameSource } from './candidates.js';

/** Names from the hub. A completion never complains: what cannot be asked offers nothing. */
export const hubNames = (hub: () => Promise<HubClient>): NameSource => {
  const orNothing = async <T>(work: (client: HubClient) => Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return await work(await hub());
    } catch {
      return [];
    }
  };
  const toolsOf = async (client: HubClient, server: string) => client.tools((await client.server(server)).id);
  return {
    servers: () =>
      orNothing(async (client) =>
        (await client.servers()).map((server) => ({ value: server.server_name, description: server.mcp_server_type })),
      ),
    tools: (server) =>
      orNothing(async (client) =>
        (await toolsOf(client, server)).map((tool) => ({ value: tool.upstream_name, description: briefly(tool) })),
      ),
    agents: () =>
      orNothing(async (client) =>
        (await agentClient(client.api).list()).map(({ name, description }) => ({
          value: name,
          description: printableLine(description ?? ''),
        })),
      ),
    parameters: (server, name) =>
      orNothing(async (client) => {
        const tool = (await toolsOf(client, server)).find((entry) => entry.upstream_name === name);
        return parametersOf(tool?.input_schema).map((parameter) => ({
          value: `${parameter.name}=`,
          description: printableLine(parameter.description),
        }));
      }),
  };
};
