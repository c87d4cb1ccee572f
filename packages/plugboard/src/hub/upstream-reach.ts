import { HUB_LOGIN, loginUserOfAgent } from '@plugboard/contract';
import { agentHeader, type LinkUse, type UpstreamPool } from '@plugboard/gateway';
import type { ReachOptions, ServerReach } from '@plugboard/registry';

const callOptions = ({ signal, agent }: ReachOptions = {}) => ({ signal, headers: agentHeader(agent) });

/** Whose variables and login: those of the agent, unless somebody else's login is wanted. */
const linkUse = ({ agent, user }: ReachOptions = {}): LinkUse => ({
  ...(user ?? (agent === undefined ? { principal: HUB_LOGIN } : loginUserOfAgent(agent))),
  agent,
});

/** Lets the registry reach servers over the same connections that the gateway uses. */
export const upstreamReach = (pool: UpstreamPool): ServerReach => ({
  listTools: (server, options) =>
    pool.use(server, (client) => client.listTools(callOptions(options)), linkUse(options)),
  callTool: (server, call, options) =>
    pool.use(server, (client) => client.callTool(call.name, call.arguments, callOptions(options)), linkUse(options)),
  protocol: (id) => pool.peek(id)?.protocol,
  release: (id) => pool.release(id),
  releaseAgent: (id) => pool.releaseAgent(id),
  releaseLogin: (id, holder) => pool.releaseLogin(id, holder),
  onToolsChanged: (listener) => pool.onToolsChanged(listener),
});
