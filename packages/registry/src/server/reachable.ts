import { type ConnectConfig, PlugboardError } from '@plugboard/contract';
import type { StoredServer } from '../store/store.js';

/** Throws STDIO_DISABLED when the hub must not start processes. */
export const requireAllowed = (config: ConnectConfig, stdioAllowed: boolean): void => {
  if (config.mcp_server_type !== 'stdio' || stdioAllowed) return;
  throw new PlugboardError('STDIO_DISABLED', 'This hub does not start processes, so it rejects stdio servers.', {
    hint: 'Register the server with its URL, or allow stdio servers in the settings of the hub.',
  });
};

/** Throws what stands in the way of connecting to the server at all. */
export const requireReachable = (stored: StoredServer, stdioAllowed: boolean): void => {
  if (stored.unreadable !== undefined) throw stored.unreadable;
  requireAllowed(stored.server.config, stdioAllowed);
};

export const requireEnabled = (stored: StoredServer): void => {
  if (stored.server.enabled) return;
  throw new PlugboardError('PERMISSION_DENIED', `The server "${stored.server.server_name}" is disabled.`, {
    hint: 'Enable it before you call its tools.',
  });
};

export const serverNotFound = (id: string): PlugboardError =>
  new PlugboardError('SERVER_NOT_FOUND', 'The server does not exist.', {
    hint: 'List the servers to see their ids.',
    details: { id: id.slice(0, 128) },
  });
