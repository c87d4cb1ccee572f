import type { UpstreamPool } from '@plugboard/gateway';
import type { ServerReach } from '@plugboard/registry';

/** Lets the registry reach servers over the same connections that the gateway uses. */
export const upstreamReach = (pool: UpstreamPool): ServerReach => ({
  listTools: (server, options) => pool.use(server, (client) => client.listTools(options)),
  callTool: (server, call, options) =>
    pool.use(server, (client) => client.callTool(call.name, call.arguments, options)),
  protocol: (id) => pool.peek(id)?.protocol,
  release: (id) => pool.release(id),
  onToolsChanged: (listener) => pool.onToolsChanged(listener),
});
