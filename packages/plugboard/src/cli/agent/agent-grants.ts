import type { Agent, ToolView } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import { findTool } from '../../hub-api/client/find-tool.js';
import { invalidArgument } from '../command/invalid-argument.js';

/** What an agent is given and what is taken from it, by the names that people use. */
export interface GrantFlags {
  readonly attachServer: readonly string[];
  readonly detachServer: readonly string[];
  readonly attachToolset: readonly string[];
  readonly detachToolset: readonly string[];
  /** `server/tool`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Neither allowed nor denied any more. */
  readonly forget: readonly string[];
}

type ToolId = ToolView['id'];

const toolOf = async (client: HubClient, text: string): Promise<ToolId> => {
  const at = text.indexOf('/');
  if (at < 1 || at === text.length - 1) {
    throw invalidArgument(`"${text}" does not name a tool.`, 'Write it as server/tool, such as files/read_file.');
  }
  const server = await client.server(text.slice(0, at));
  return findTool(server.server_name, await client.tools(server.id), text.slice(at + 1)).id;
};

const each = async <Id>(names: readonly string[], find: (name: string) => Promise<Id>): Promise<readonly Id[]> => {
  const found: Id[] = [];
  for (const name of names) found.push(await find(name));
  return found;
};

const after = <Id>(before: readonly Id[], added: readonly Id[], removed: readonly Id[]): Id[] => [
  ...new Set([...before.filter((id) => !removed.includes(id)), ...added]),
];

const touched = (...lists: readonly (readonly unknown[])[]): boolean => lists.some((list) => list.length > 0);

type Grants = Pick<Agent, 'server_ids' | 'toolset_ids' | 'allow_tool_ids' | 'deny_tool_ids'>;

export const NO_GRANTS: Grants = { server_ids: [], toolset_ids: [], allow_tool_ids: [], deny_tool_ids: [] };

/** The lists that change. All names are looked up first, so that a typing error changes nothing. */
export const changedGrants = async (client: HubClient, agent: Grants, flags: GrantFlags): Promise<Partial<Grants>> => {
  const server = async (name: string) => (await client.server(name)).id;
  const toolset = async (name: string) => (await toolsetClient(client.api).get(name)).id;
  const tool = (name: string) => toolOf(client, name);
  const servers = [await each(flags.attachServer, server), await each(flags.detachServer, server)] as const;
  const toolsets = [await each(flags.attachToolset, toolset), await each(flags.detachToolset, toolset)] as const;
  const allow = await each(flags.allow, tool);
  const deny = await each(flags.deny, tool);
  const forget = await each(flags.forget, tool);
  return {
    ...(touched(...servers) ? { server_ids: after(agent.server_ids, ...servers) } : {}),
    ...(touched(...toolsets) ? { toolset_ids: after(agent.toolset_ids, ...toolsets) } : {}),
    // What is allowed is no longer denied, and the other way round.
    ...(touched(allow, deny, forget)
      ? {
          allow_tool_ids: after(agent.allow_tool_ids, allow, [...deny, ...forget]),
          deny_tool_ids: after(agent.deny_tool_ids, deny, [...allow, ...forget]),
        }
      : {}),
  };
};
