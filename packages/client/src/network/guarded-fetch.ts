import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, fetch, ProxyAgent, type RequestInit } from 'undici';
import { usesProxy } from './http-dispatcher.js';
import { guardedLookup } from './guarded-lookup.js';
import { leadsHome, ownPlace, strangerGuard } from './stranger-guard.js';
import type { UrlGuard } from './url-guard.js';

export interface GuardedFetch {
  /** Like fetch. Each hop of a redirect is judged like the first address. */
  readonly fetch: (url: string, init?: GuardedRequest) => Promise<Response>;
  close(): Promise<void>;
}

export interface GuardedRequest {
  readonly method?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly body?: string | URLSearchParams | undefined;
  readonly redirect?: 'follow' | 'error' | 'manual' | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GuardedFetchOptions {
  /** Authorities to trust in place of the built-in ones, in PEM. */
  readonly ca?: string | readonly string[] | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** A proxy, and the hosts that are reached without it. */
  readonly proxy?: string | undefined;
  readonly noProxy?: string | undefined;
  readonly lookup?: LookupFunction | undefined;
  /** For URLs that strangers name. */
  readonly strangers?: StrangerRules | undefined;
}

/** What a URL that a stranger named must not lead to, whatever the policy allows. */
export interface StrangerRules {
  /** Is this where the hub itself listens? */
  readonly isOwnAddress: (address: string, port: number) => boolean;
  /** Is this the hub under its public name? */
  readonly isOwnUrl: (url: URL) => boolean;
}

const CONNECT_MS = 10_000;

const portOf = ({ port, protocol }: { readonly port: string; readonly protocol: string }): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** A socket does not resolve what is an address already, so hosts are judged once more where connections are made. */
const guardedConnector = (guard: UrlGuard, options: GuardedFetchOptions): buildConnector.connector => {
  const { ca, strangers } = options;
  const connectorFor = (judge: UrlGuard): buildConnector.connector =>
    buildConnector({
      timeout: options.connectTimeoutMs ?? CONNECT_MS,
      lookup: options.lookup ?? guardedLookup(judge),
      ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
    });
  const shared = connectorFor(guard);
  return (target, callback) => {
    const judge = strangers === undefined ? guard : strangerGuard(guard, strangers, portOf(target));
    try {
      judge.checkHost(target.hostname);
    } catch (refusal) {
      callback(refusal as Error, null);
      return;
    }
    // Which port is meant, a lookup does not know.
    (strangers === undefined ? shared : connectorFor(judge))(target, callback);
  };
};

const refusalIn = (thrown: unknown): unknown => {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'URL_REFUSED' ? cause : thrown;
};

/** A fetch that only reaches what the policy allows. Rejects with URL_REFUSED, else as fetch does. */
export const createGuardedFetch = (guard: UrlGuard, options: GuardedFetchOptions = {}): GuardedFetch => {
  // Made with the first request: a hub has several of these at its start, and most are never used.
  let agent: Agent | undefined;
  let isClosed = false;
  const { proxy, ca } = options;
  const requestTls = ca === undefined ? {} : { requestTls: { ca: typeof ca === 'string' ? ca : [...ca] } };
  const proxied = proxy === undefined ? undefined : new ProxyAgent({ uri: proxy, ...requestTls });
  const dispatcherFor = (url: string): Dispatcher => {
    if (isClosed) throw new TypeError('fetch failed: it was closed');
    if (proxied !== undefined && usesProxy(new URL(url), options)) return proxied;
    agent ??= new Agent({ connect: guardedConnector(guard, options) });
    return agent;
  };
  return {
    fetch: async (url, init = {}) => {
      guard.checkUrl(url);
      const target = new URL(url);
      if (options.strangers !== undefined && leadsHome(target, options.strangers)) throw ownPlace(target.host);
      try {
        return await fetch(url, { ...(init as RequestInit), dispatcher: dispatcherFor(url) });
      } catch (thrown) {
        throw refusalIn(thrown);
      }
    },
    close: async () => {
      isClosed = true;
      await agent?.destroy();
      await proxied?.destroy();
    },
  };
};
