import type { Network } from '@plugboard/check';
import {
  guardedLookup,
  leadsHome,
  ownPlace,
  strangerGuard,
  type StrangerRules,
  type UrlGuard,
} from '@plugboard/client';
import type { CheckTarget } from '@plugboard/contract';

export interface RunNetworkParts {
  readonly urls: UrlGuard;
  /** Where this hub can be reached. */
  readonly own: StrangerRules;
}

const originsOf = ({ url, differential }: Pick<CheckTarget, 'url' | 'differential'>): ReadonlySet<string> =>
  new Set([url, differential?.url].flatMap((given) => (given === undefined ? [] : [new URL(given).origin])));

const plain = (host: string): string => host.replaceAll(/^\[|\]$/gu, '');

/**
 * What the checks of one run may reach. Their target was named by the user who started the run; every other address comes from
 * the target itself, such as those in its OAuth metadata, and must not lead back to the hub.
 */
export const runNetwork = (
  { urls, own }: RunNetworkParts,
  target: Pick<CheckTarget, 'url' | 'differential'>,
): Network => {
  const named = originsOf(target);
  /** A lookup is told no port: all that were asked for under the name count. */
  const ports = new Map<string, Set<number>>();
  return {
    admit: (address) => {
      urls.checkUrl(address);
      const url = new URL(address);
      if (named.has(url.origin)) return;
      if (leadsHome(url, own)) throw ownPlace(url.hostname);
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      const host = plain(url.hostname);
      ports.set(host, (ports.get(host) ?? new Set()).add(port));
    },
    lookup: (host, options, callback) => {
      const guard = [...(ports.get(plain(host)) ?? [])].reduce((inner, port) => strangerGuard(inner, own, port), urls);
      guardedLookup(guard)(host, options, callback);
    },
  };
};
