import { agentHeader, type UpstreamPool } from '@plugboard/gateway';
import type { ReachOptions, ServerReach } from '@plugboard/registry';

const callOptions = ({ signal, agent }: ReachOptions = {}) => ({ signal, headers: agentHeader(agent) });

/** Lets the registry reach servers over the same connections that the gateway uses. */
export const upstreamReach = (pool: UpstreamPool): ServerReach => ({
  listTools: (server, options) => pool.use(server, (client) => client.listTools(callOptions(options)), options?.agent),
  callTool: (server, call, options) =>
    pool.use(server, (client) => client.callTool(call.name, call.arguments, callOptions(options)), options?.agent),
  protocol: (id) => pool.peek(id)?.protocol,
  release: (id) => pool.release(id),
  releaseAgent: (id) => pool.releaseAgent(id),
  onToolsChanged: (listener) => pool.onToolsChanged(listener),
});
