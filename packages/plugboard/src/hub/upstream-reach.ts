import type { Supervisor } from '@plugboard/client';
import { HUB_LOGIN, loginUserOfAgent } from '@plugboard/contract';
import { agentHeader, type LinkUse, type UpstreamPool } from '@plugboard/gateway';
import type { ReachOptions, ServerReach } from '@plugboard/registry';
import type { KnownHubs } from './known-hubs.js';
import type { LaunchedServers } from './launched-servers.js';
import type { ServerGuards } from './server-guards.js';

const callOptions = ({ signal, agent }: ReachOptions = {}) => ({ signal, headers: agentHeader(agent) });

/** Whose variables and login: those of the agent, unless somebody else's login is wanted. */
const linkUse = ({ agent, user }: ReachOptions = {}): LinkUse => ({
  ...(user ?? (agent === undefined ? { principal: HUB_LOGIN } : loginUserOfAgent(agent))),
  agent,
});

export interface UpstreamReachParts {
  readonly pool: UpstreamPool;
  readonly guards: Pick<ServerGuards, 'reset'>;
  readonly supervisor: Pick<Supervisor, 'forgive'>;
  readonly launched: Pick<LaunchedServers, 'forgive' | 'stop'>;
  readonly hubs: KnownHubs;
}

/** Lets the registry reach servers over the same connections that the gateway uses. */
export const upstreamReach = ({ pool, guards, supervisor, launched, hubs }: UpstreamReachParts): ServerReach => ({
  listTools: (server, options) =>
    pool.use(
      server,
      async (client) => {
        const tools = await client.listTools(callOptions(options));
        hubs.heard(server.id, client.toolsMeta);
        return tools;
      },
      linkUse(options),
    ),
  callTool: (server, call, options) =>
    pool.use(
      server,
      (client) => client.callTool(call.name, call.arguments, callOptions(options)),
      linkUse(options),
      'calls',
    ),
  protocol: (id) => pool.protocol(id),
  release: (id) => {
    hubs.forget(id);
    return pool.release(id);
  },
  forgive: async ({ id, server_name }) => {
    guards.reset(id);
    supervisor.forgive(server_name);
    await launched.forgive(id);
  },
  stop: async ({ id }) => {
    await pool.release(id);
    await launched.stop(id);
  },
  releaseAgent: (id) => pool.releaseAgent(id),
  releaseLogin: (id, holder) => pool.releaseLogin(id, holder),
  toolsTtlMs: (id) => pool.peek(id)?.toolsTtlMs,
  onOpened: (listener) => pool.onOpened(listener),
  onToolsChanged: (listener) => pool.onToolsChanged(listener),
});
