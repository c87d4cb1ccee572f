import type { Agent } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import { agentDetail, type AgentNames } from './agent-words.js';
import type { CommandContext } from '../command/command-context.js';

const toolNames = async (client: HubClient, agent: Agent): Promise<ReadonlyMap<string, string>> => {
  if (agent.allow_tool_ids.length + agent.deny_tool_ids.length === 0) return new Map();
  const names = new Map<string, string>();
  for (const server of await client.servers()) {
    for (const tool of await client.tools(server.id)) names.set(tool.id, `${server.server_name}/${tool.upstream_name}`);
  }
  return names;
};

const namesFor = async (client: HubClient, agent: Agent): Promise<AgentNames> => {
  const servers = new Map(
    agent.server_ids.length === 0
      ? []
      : (await client.servers()).map((server) => [server.id as string, server.server_name]),
  );
  const toolsets = new Map(
    agent.toolset_ids.length === 0
      ? []
      : (await toolsetClient(client.api).list()).map((toolset) => [toolset.id as string, toolset.name]),
  );
  const tools = await toolNames(client, agent);
  const named = (known: ReadonlyMap<string, string>) => (id: string) => known.get(id) ?? `${id} (deleted)`;
  return { server: named(servers), toolset: named(toolsets), tool: named(tools) };
};

/** Shows an agent as it is now. */
export const showAgent = async ({ out }: CommandContext, client: HubClient, agent: Agent): Promise<void> => {
  out.data(agent);
  if (out.json) return;
  if (out.quiet) out.text(agent.id);
  else out.text(agentDetail(agent, await namesFor(client, agent), out.style));
};
