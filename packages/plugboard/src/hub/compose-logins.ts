import {
  clientMetadata,
  createGuardedFetch,
  createOAuthProtocol,
  resolveConfig,
  type UrlGuard,
} from '@plugboard/client';
import type { KeptAgent, KeptConfig } from '@plugboard/contract';
import { ServerLogins, type Store } from '@plugboard/registry';
import type { Settings } from '../settings/settings.js';
import { variableOf } from './config-variable.js';
import { sharedNetwork } from './server-network.js';
import type { Logger } from './logger.js';
import { OwnPlaces } from './own-places.js';

const CALLBACK_PATH = '/v1/tools/mcp/oauth/callback';
const CLIENT_METADATA_PATH = '/v1/oauth/client-metadata.json';

export interface LoginParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly urls: UrlGuard;
  readonly log: Logger;
  /** The agent whose variables its logins are made with. */
  readonly agentOf: (id: string) => KeptAgent | undefined;
}

export interface ComposedLogins {
  readonly logins: ServerLogins;
  /** The hub listens here from now on. */
  listensAt(url: string): void;
  close(): Promise<void>;
}

/** Any address is no address to send a browser to. */
const reachable = (url: string): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\])/u, '//127.0.0.1');

/** Our metadata can be named only where others can read it. */
const metadataUrl = ({ clientMetadataUrl, publicUrl }: Settings): string | undefined =>
  clientMetadataUrl ?? (publicUrl?.startsWith('https:') === true ? publicUrl + CLIENT_METADATA_PATH : undefined);

const ownDocument = (settings: Settings): Readonly<Record<string, unknown>> | undefined => {
  const { clientMetadataUrl, publicUrl } = settings;
  const url = metadataUrl(settings);
  if (url === undefined || publicUrl === undefined || clientMetadataUrl !== undefined) return undefined;
  return { client_id: url, client_uri: publicUrl, ...clientMetadata([publicUrl + CALLBACK_PATH], 'Plugboard', 'none') };
};

/** What a login needs to know of a config: headers may name variables that whoever logs in does not have. */
const loginPart = (config: KeptConfig): KeptConfig =>
  config.mcp_server_type === 'stdio' ? config : { ...config, custom_headers: null };

/** OAuth to servers, over addresses that the policy allows. */
export const composeLogins = ({ store, settings, urls, log, agentOf }: LoginParts): ComposedLogins => {
  const own = new OwnPlaces(settings.publicUrl);
  const guarded = createGuardedFetch(urls, { ...sharedNetwork(settings.network), strangers: own });
  let base = settings.publicUrl;
  const logins = new ServerLogins({
    store: store.oauth,
    protocol: createOAuthProtocol({ fetch: guarded.fetch, now: Date.now }),
    clock: { now: Date.now },
    log,
    callbackUrl: () => (base === undefined ? undefined : base + CALLBACK_PATH),
    resolved: (server, agent) => {
      const sources = { agent: agentOf(agent), config: server.config };
      return { ...server, config: resolveConfig(loginPart(server.config), variableOf(settings, sources)).config };
    },
    clientMetadataUrl: metadataUrl(settings),
    clientDocument: ownDocument(settings),
  });
  return {
    logins,
    listensAt: (url) => {
      own.listensAt(url);
      base ??= reachable(url);
    },
    close: () => guarded.close(),
  };
};
