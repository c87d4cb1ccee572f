import type { Tracer } from '@opentelemetry/api';
import { HUB_LOGIN, type Server } from '@plugboard/contract';
import type { UrlGuard } from '@plugboard/client';
import type { UpstreamPool } from '@plugboard/gateway';
import type { Registry, Store } from '@plugboard/registry';
import type { Logger } from '../log/logger.js';
import { certificateExpiry } from '../monitor/certificate.js';
import type { Expiry } from '../monitor/server-watch.js';
import { ServerMonitor } from '../monitor/server-monitor.js';
import type { Settings } from '../settings/settings.js';

export interface MonitorParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly registry: Registry;
  readonly upstream: UpstreamPool;
  readonly urls: UrlGuard;
  readonly tracer: Tracer | undefined;
  readonly log: Logger;
  /** One process of those on a store probes. */
  readonly isLeader: () => boolean;
}

/** When the hub's own token for the server expires. */
const tokenOf = async ({ oauth }: Store, { id }: Server): Promise<Expiry['token']> => {
  const held = (await oauth.credentialsOf(id)).find(({ key }) => key.principal === HUB_LOGIN);
  const { expiresAt, refreshToken } = held?.tokens ?? {};
  if (expiresAt === undefined) return undefined;
  return { at: new Date(expiresAt), renewable: refreshToken !== undefined || held?.grant === 'client_credentials' };
};

/** The monitor, on the connections that the gateway uses. */
export const composeMonitor = ({
  settings,
  store,
  registry,
  upstream,
  urls,
  tracer,
  log,
  isLeader,
}: MonitorParts): ServerMonitor =>
  new ServerMonitor({
    settings: settings.monitor,
    store: store.monitor,
    snapshot: () => registry.snapshot(),
    missingVariables: (server) => registry.missingVariables(server),
    use: (server, work) => upstream.use(server, work, { principal: HUB_LOGIN }),
    expiryOf: async (server, signal) => ({
      // Behind a proxy the hub cannot connect directly.
      certificate:
        server.config.mcp_server_type === 'stdio' || settings.network.proxy !== undefined
          ? undefined
          : await certificateExpiry(server.config.server_url, urls, signal).catch(() => undefined),
      token: await tokenOf(store, server),
    }),
    tracer,
    emit: (event) => registry.events.emit(event),
    log,
    isLeader,
  });
