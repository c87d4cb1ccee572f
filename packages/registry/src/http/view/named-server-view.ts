import type { NamedServer, NamedServerView, Server, ServerCreate } from '@plugboard/contract';
import { maskedConfig } from './masked-config.js';

/** A server as the name-keyed routes show it. */
export const namedServerView = (server: Server, missing: readonly string[]): NamedServerView => {
  const { mcp_server_type: type, ...config } = maskedConfig(server.config);
  return {
    id: server.id,
    server_name: server.server_name,
    enabled: server.enabled,
    missing_variables: [...missing],
    type,
    ...config,
  } as NamedServerView;
};

/** What the name-keyed routes take, as the registry takes it. */
export const toServerCreate = ({ server_name, type, ...config }: NamedServer): ServerCreate =>
  ({ server_name, config: { mcp_server_type: type, ...config } }) as ServerCreate;
