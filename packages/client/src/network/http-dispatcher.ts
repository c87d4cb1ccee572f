import type { LookupFunction } from 'node:net';
import { Pool, ProxyAgent, type Dispatcher } from 'undici';

/** How HTTP servers are reached; the composition root fills it from its settings. */
export interface NetworkOptions {
  /** A proxy for https and http URLs, such as the value of HTTPS_PROXY. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached without it, in the notation of NO_PROXY. */
  readonly noProxy?: string | undefined;
  /** Authorities to trust in place of the built-in ones, in PEM. */
  readonly ca?: string | readonly string[] | undefined;
  readonly connections?: number | undefined;
  readonly keepAliveMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Resolves and vets host names, so that a policy sees the very address that is used. */
  readonly lookup?: LookupFunction | undefined;
}

/** What is not said is the same whichever way requests go. */
export const NETWORK_DEFAULTS = { connections: 128, keepAliveMs: 4_000, connectTimeoutMs: 30_000 } as const;

/** Does NO_PROXY name this host? Entries are hosts, domain suffixes with or without a dot, host:port, or `*`. */
export const bypassesProxy = (url: URL, noProxy: string | undefined): boolean => {
  const host = url.hostname.toLowerCase().replaceAll(/^\[|\]$/gu, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return (noProxy ?? '')
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, entryPort] = /^(.*[^:]):(\d+)$/u.exec(entry) ?? [];
      const domain = name.replace(/^\*?\./u, '');
      return (entryPort === undefined || entryPort === port) && (host === domain || host.endsWith(`.${domain}`));
    });
};

export const usesProxy = (url: URL, { proxy, noProxy }: NetworkOptions): boolean =>
  proxy !== undefined && proxy !== '' && !bypassesProxy(url, noProxy);

/** The connections to one origin. It has no timeouts of its own: every wait has a deadline of ours. */
export const createDispatcher = (url: URL, network: NetworkOptions): Dispatcher => {
  const connect = {
    timeout: network.connectTimeoutMs ?? NETWORK_DEFAULTS.connectTimeoutMs,
    ...(network.ca === undefined ? {} : { ca: typeof network.ca === 'string' ? network.ca : [...network.ca] }),
    ...(network.lookup === undefined ? {} : { lookup: network.lookup }),
  };
  const pool = {
    connections: network.connections ?? NETWORK_DEFAULTS.connections,
    keepAliveTimeout: network.keepAliveMs ?? NETWORK_DEFAULTS.keepAliveMs,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (network.proxy !== undefined && usesProxy(url, network)) {
    return new ProxyAgent({ uri: network.proxy, requestTls: connect, ...pool });
  }
  return new Pool(url.origin, { ...pool, connect });
};
