import {
  keepConfig,
  type KeptConfig,
  type PlugboardError,
  revealConfig,
  sameConfig,
  type ServerUpdate,
} from '@plugboard/contract';
import type { ServerChange, StoredServer } from '../store/store.js';
import { mergeConfig, replacesAllSecrets } from './merge-config.js';

const lostPaths = ({ details }: PlugboardError): readonly string[] =>
  Array.isArray(details?.['secrets']) ? details['secrets'].map(String) : [];

const configAfter = (stored: StoredServer, update: ServerUpdate): KeptConfig | undefined => {
  if (update.config === undefined) return undefined;
  const current = revealConfig(stored.server.config);
  // Merging into a config without its secrets and sealing the result would lose them for good.
  if (stored.unreadable !== undefined && !replacesAllSecrets(update.config, current, lostPaths(stored.unreadable))) {
    throw stored.unreadable;
  }
  const config = mergeConfig(current, update.config);
  return stored.unreadable === undefined && sameConfig(config, current) ? undefined : keepConfig(config);
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
