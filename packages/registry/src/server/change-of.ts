import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig, ServerUpdate } from '@plugboard/contract';
import type { ServerChange, StoredServer } from '../store/store.js';
import { mergeConfig, replacesAllSecrets } from './merge-config.js';

const configAfter = (stored: StoredServer, update: ServerUpdate): ServerConfig | undefined => {
  if (update.config === undefined) return undefined;
  // Merging into a config without its secrets and sealing the result would lose them for good.
  if (stored.unreadable !== undefined && !replacesAllSecrets(update.config, stored.server.config))
    throw stored.unreadable;
  const config = mergeConfig(stored.server.config, update.config);
  return stored.unreadable === undefined && isDeepStrictEqual(config, stored.server.config) ? undefined : config;
};

/** What an update really changes; undefined when everything is so already. */
export const changeOf = (stored: StoredServer, update: ServerUpdate): ServerChange | undefined => {
  const { server } = stored;
  const config = configAfter(stored, update);
  const name = update.server_name ?? server.server_name;
  const enabled = update.enabled ?? server.enabled;
  const change: ServerChange = {
    ...(name === server.server_name ? {} : { name }),
    ...(enabled === server.enabled ? {} : { enabled }),
    // how the server was found with the old config says nothing about the new one
    ...(config === undefined ? {} : { config, status: { state: 'unknown' } }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
};
