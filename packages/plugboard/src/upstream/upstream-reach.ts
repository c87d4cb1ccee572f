import type { Supervisor } from '@plugboard/client';
import { HUB_LOGIN, loginUserOfAgent, toolResult } from '@plugboard/contract';
import { agentHeader, type LinkUse, type RunTool, type UpstreamPool } from '@plugboard/gateway';
import type { ReachOptions, ServerReach } from '@plugboard/registry';
import type { KnownHubs } from '../hub-loop/known-hubs.js';
import type { LaunchedServers } from './program/launched-servers.js';
import type { PoliciesByServer } from './policies-by-server.js';

const never = new AbortController().signal;

const callOptions = ({ signal, agent }: ReachOptions = {}) => ({ signal, headers: agentHeader(agent) });

/** Whose variables and login: those of the agent, unless somebody else's login is wanted. */
const linkUse = ({ agent, user }: ReachOptions = {}): LinkUse => ({
  ...(user ?? (agent === undefined ? { principal: HUB_LOGIN } : loginUserOfAgent(agent))),
  agent,
});

export interface UpstreamReachParts {
  readonly pool: UpstreamPool;
  readonly policies: Pick<PoliciesByServer, 'reset'>;
  readonly supervisor: Pick<Supervisor, 'forgive'>;
  readonly launched: Pick<LaunchedServers, 'forgive' | 'stop'>;
  readonly hubs: KnownHubs;
  /** Calls take the way of all others: they are limited, counted and written down. */
  readonly runTool: RunTool;
}

/** Lets the registry reach servers over the same connections that the gateway uses. */
export const upstreamReach = ({
  pool,
  policies,
  supervisor,
  launched,
  hubs,
  runTool,
}: UpstreamReachParts): ServerReach => ({
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
  instructions: (server, options) =>
    pool.use(
      server,
      async (client) => {
        if (!client.isInitialized) await client.connect({ signal: options?.signal });
        return client.instructions ?? '';
      },
      linkUse(options),
    ),
  callTool: async (server, call, options = {}) => {
    const { signal = never } = options;
    return toolResult.parse(await runTool(server, call, { caller: linkUse(options), signal }));
  },
  protocol: (id) => pool.protocol(id),
  release: (id) => {
    hubs.forget(id);
    return pool.release(id);
  },
  forgive: async ({ id, server_name }) => {
    policies.reset(id);
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
