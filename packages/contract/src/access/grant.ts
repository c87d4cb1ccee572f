import type { KeptAgent } from '../agent/kept-agent.js';
import type { Principal } from './principal.js';
import type { Tool } from '../tool/tool.js';
import type { Toolset } from '../toolset/toolset.js';

type ToolAddress = Pick<Tool, 'id' | 'server_id' | 'upstream_name'>;

/** What a caller may use of all that there is. */
export interface Grant {
  /** The whole server: its resources and prompts too. */
  allowsServer(serverId: string): boolean;
  allowsTool(tool: ToolAddress): boolean;
  /** At the endpoint of an attached toolset, where presets, hidden arguments and its filter apply. */
  allowsInToolset(tool: ToolAddress): boolean;
  allowsToolset(toolset: Pick<Toolset, 'id'>): boolean;
}

const NOTHING: Grant = {
  allowsServer: () => false,
  allowsTool: () => false,
  allowsInToolset: () => false,
  allowsToolset: () => false,
};

const both = (a: Grant, b: Grant): Grant => ({
  allowsServer: (id) => a.allowsServer(id) && b.allowsServer(id),
  allowsTool: (tool) => a.allowsTool(tool) && b.allowsTool(tool),
  allowsInToolset: (tool) => a.allowsInToolset(tool) && b.allowsInToolset(tool),
  allowsToolset: (toolset) => a.allowsToolset(toolset) && b.allowsToolset(toolset),
});

const onServers = (ids: readonly string[]): Grant => {
  const servers = new Set<string>(ids);
  return {
    allowsServer: (id) => servers.has(id),
    allowsTool: ({ server_id }) => servers.has(server_id),
    allowsInToolset: ({ server_id }) => servers.has(server_id),
    allowsToolset: () => true,
  };
};

const addressOf = (serverId: string, upstreamName: string): string => `${serverId} ${upstreamName}`;

type Entry = Toolset['entries'][number];

const addressesIn = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(entries.map(({ server_id, upstream_name }) => addressOf(server_id, upstream_name)));

/** Does the entry offer all that the server does? Else it must not be reached past the toolset. */
const isWhole = ({ preset_arguments, hidden_arguments }: Entry): boolean =>
  Object.keys(preset_arguments ?? {}).length === 0 && (hidden_arguments ?? []).length === 0;

/** What an agent was given: whole servers, toolsets and single tools, without what was denied. */
const grantOfAgent = (agent: Omit<KeptAgent, 'variables'>, toolsets: readonly Toolset[]): Grant => {
  const servers = new Set<string>(agent.server_ids);
  const allowed = new Set<string>(agent.allow_tool_ids);
  const denied = new Set<string>(agent.deny_tool_ids);
  const attached = new Set<string>(agent.toolset_ids);
  const given = toolsets.filter(({ id }) => attached.has(id));
  const curated = addressesIn(given.flatMap(({ entries }) => entries));
  const whole = addressesIn(given.flatMap(({ entries, read_only }) => (read_only ? [] : entries.filter(isWhole))));
  const allows = ({ id, server_id, upstream_name }: ToolAddress, viaToolset: ReadonlySet<string>): boolean =>
    !denied.has(id) &&
    (servers.has(server_id) || allowed.has(id) || viaToolset.has(addressOf(server_id, upstream_name)));
  return {
    allowsServer: (id) => servers.has(id),
    allowsTool: (tool) => allows(tool, whole),
    allowsInToolset: (tool) => allows(tool, curated),
    allowsToolset: ({ id }) => attached.has(id),
  };
};

/** What a caller may use; undefined when that is everything. An agent that is gone may use nothing. */
export const grantOf = (
  principal: Principal,
  agent: Omit<KeptAgent, 'variables'> | undefined,
  toolsets: readonly Toolset[],
): Grant | undefined => {
  const ofServers = principal.servers === undefined ? undefined : onServers(principal.servers);
  if (principal.agent === undefined) return ofServers;
  const ofAgent = agent === undefined ? NOTHING : grantOfAgent(agent, toolsets);
  return ofServers === undefined ? ofAgent : both(ofServers, ofAgent);
};
