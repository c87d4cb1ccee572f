import {
  clientMetadata,
  createGuardedFetch,
  createOAuthProtocol,
  resolveConfig,
  type UrlGuard,
} from '@plugboard/client';
import type { KeptAgent, KeptConfig } from '@plugboard/contract';
import { issuerId, ServerLogins, type Store } from '@plugboard/registry';
import type { Settings } from '../settings/settings.js';
import { variableOf } from '../upstream/config/config-variable.js';
import { sharedNetwork } from '../upstream/config/server-network.js';
import type { Logger } from '../log/logger.js';
import { OwnPlaces } from '../upstream/own-places.js';

const CALLBACK_PATH = '/v1/tools/mcp/oauth/callback';
const LOGIN_PATH = '/v1/oauth/login';
const CLIENT_METADATA_PATH = '/v1/oauth/client-metadata';

export interface LoginParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly urls: UrlGuard;
  readonly log: Logger;
  /** Signs what browsers are known by between the beginning of a login and its end. */
  readonly browserKey: Uint8Array;
  /** The agent whose variables its logins are made with. */
  readonly agentOf: (id: string) => KeptAgent | undefined;
}

export interface ComposedLogins {
  readonly logins: ServerLogins;
  /** Where this hub can be reached. */
  readonly own: OwnPlaces;
  /** The hub listens here from now on. */
  listensAt(url: string): void;
  close(): Promise<void>;
}

/** Any address is no address to send a browser to. */
const reachable = (url: string): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\])/u, '//127.0.0.1');

/** Our metadata can be named only where others can read it. What we serve ourselves is made for each issuer. */
const metadataUrl =
  ({ clientMetadataUrl, publicUrl }: Settings) =>
  (issuer: string): string | undefined => {
    if (clientMetadataUrl !== undefined) return clientMetadataUrl;
    return publicUrl?.startsWith('https:') === true
      ? `${publicUrl}${CLIENT_METADATA_PATH}/${issuerId(issuer)}`
      : undefined;
  };

const ownDocument =
  ({ clientMetadataUrl, publicUrl }: Settings) =>
  (id: string | undefined): Readonly<Record<string, unknown>> | undefined => {
    if (publicUrl?.startsWith('https:') !== true || clientMetadataUrl !== undefined) return undefined;
    const [url, callback] =
      id === undefined
        ? [`${publicUrl}${CLIENT_METADATA_PATH}.json`, publicUrl + CALLBACK_PATH]
        : [`${publicUrl}${CLIENT_METADATA_PATH}/${id}`, `${publicUrl}${CALLBACK_PATH}/${id}`];
    return { client_id: url, client_uri: publicUrl, ...clientMetadata([callback], 'Plugboard', 'none') };
  };

/** What a login needs to know of a config: headers and proxy may use variables that are not available during a login. */
const loginPart = (config: KeptConfig): KeptConfig =>
  config.mcp_server_type === 'stdio' ? config : { ...config, custom_headers: null, proxy: null };

/** OAuth to servers, over addresses that the policy allows. */
export const composeLogins = ({ store, settings, urls, log, browserKey, agentOf }: LoginParts): ComposedLogins => {
  const own = new OwnPlaces(settings.publicUrl);
  const guarded = createGuardedFetch(urls, { ...sharedNetwork(settings.network), strangers: own });
  let base = settings.publicUrl;
  const logins = new ServerLogins({
    store: store.oauth,
    protocol: createOAuthProtocol({ fetch: guarded.fetch, now: Date.now }),
    clock: { now: Date.now },
    log,
    callbackUrl: (issuer) => {
      if (base === undefined) return undefined;
      return base + CALLBACK_PATH + (issuer === undefined ? '' : `/${issuerId(issuer)}`);
    },
    loginUrl: (id) => (base === undefined ? undefined : `${base}${LOGIN_PATH}/${id}`),
    browserKey,
    oneDocument: settings.clientMetadataUrl !== undefined,
    resolved: (server, agent) => {
      const sources = { agent: agentOf(agent), config: server.config };
      return { ...server, config: resolveConfig(loginPart(server.config), variableOf(settings, sources)).config };
    },
    clientMetadataUrl: metadataUrl(settings),
    clientDocument: ownDocument(settings),
  });
  return {
    logins,
    own,
    listensAt: (url) => {
      own.listensAt(url);
      base ??= reachable(url);
    },
    close: () => guarded.close(),
  };
};
