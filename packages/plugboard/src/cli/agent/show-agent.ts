import type { Agent } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { formatFields } from '../../terminal/fields.js';

/** How ids are called by people. */
interface AgentNames {
  readonly server: (id: string) => string;
  readonly toolset: (id: string) => string;
  readonly tool: (id: string) => string;
}

const listed = (ids: readonly string[], name: (id: string) => string): string | undefined =>
  ids.length === 0 ? undefined : ids.map((id) => printableLine(name(id))).join('\n');

const variables = (agent: Agent): string | undefined => {
  const entries = Object.entries(agent.variables);
  return entries.length === 0 ? undefined : entries.map(([name, mask]) => `${name}=${mask}`).join('\n');
};

const model = ({ model: configured }: Agent): string | undefined => {
  if (configured === undefined || configured === null) return undefined;
  const { provider, name, base_url: url, fallback, approval, sampling_servers: asking = [] } = configured;
  return [
    printableLine(`${provider}:${name}${url === undefined ? '' : ` at ${url}`}`),
    ...(fallback === undefined ? [] : [printableLine(`fallback: ${fallback}`)]),
    ...(approval === 'destructive' ? ['destructive tools are not called'] : []),
    ...(asking.length > 0 ? [`${asking.join(', ')} may ask it`] : []),
  ].join('\n');
};

/** Everything about an agent; values of variables as the hub masks them. */
const agentDetail = (agent: Agent, names: AgentNames, style: Style): string =>
  [
    style.bold(agent.name),
    formatFields(
      [
        ['id', agent.id],
        ['description', agent.description === null ? undefined : printableLine(agent.description)],
        ['servers', listed(agent.server_ids, names.server)],
        ['toolsets', listed(agent.toolset_ids, names.toolset)],
        ['allowed', listed(agent.allow_tool_ids, names.tool)],
        ['denied', listed(agent.deny_tool_ids, names.tool)],
        ['variables', variables(agent)],
        ['model', model(agent)],
      ],
      style,
    ),
  ].join('\n');

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
