import { rootCertificates } from 'node:tls';
import { type GuardedFetchOptions, guardedLookup, type McpClientOptions, type UrlGuard } from '@plugboard/client';
import type { ConnectConfig } from '@plugboard/contract';
import type { NetworkSettings } from '../../settings/network-settings.js';

/** The built-in authorities and those of the settings; undefined when nothing was added to the built-in ones. */
const trusted = (...added: readonly (string | null | undefined)[]): readonly string[] | undefined => {
  const own = added.filter((text): text is string => typeof text === 'string');
  return own.length === 0 ? undefined : [...rootCertificates, ...own];
};

/** How everything else is reached: authorization servers, services, key sets. */
export const sharedNetwork = ({ ca, proxy, noProxy }: NetworkSettings): GuardedFetchOptions => ({
  ca: trusted(ca),
  proxy,
  noProxy,
});

/** How one server is reached: by its own proxy and authorities, else by those of the hub. */
export const networkOf = (
  config: ConnectConfig,
  hub: NetworkSettings,
  urls: UrlGuard,
): NonNullable<McpClientOptions['network']> => {
  const lookup = guardedLookup(urls);
  if (config.mcp_server_type === 'stdio') return { lookup };
  const { proxy } = config;
  const isOwn = proxy !== null && proxy !== undefined;
  return {
    lookup,
    ca: trusted(hub.ca, config.ca),
    ...(isOwn ? { proxy: proxy === 'none' ? undefined : proxy } : { proxy: hub.proxy, noProxy: hub.noProxy }),
  };
};
