import { addressKind, type AddressKind, plainHost } from '@plugboard/base';
import { allowList, type AllowList } from './allow-list.js';
import { hostNameKind, type HostNameKind } from './host-name-kind.js';
import { urlRefused } from './refusal.js';
import type { UrlPolicy } from './url-policy.js';

/** Applies a policy to URLs, names and addresses. Every method throws URL_REFUSED or returns. */
export interface UrlGuard {
  /** What can be told without asking DNS. */
  checkUrl(url: string | URL): void;
  checkHost(host: string): void;
  /** The addresses that a name was resolved to: one that is refused refuses them all. */
  checkResolved(host: string, addresses: readonly string[]): void;
}

const WHY: Readonly<Record<Exclude<AddressKind, 'public'> | Exclude<HostNameKind, 'unknown'>, string>> = {
  loopback: 'it is this machine',
  private: 'it is not a public address',
  reserved: 'it is not a public address',
  metadata: "it serves the machine's cloud credentials",
  internal: 'the name belongs to an internal network',
};
const NOT_LISTED = 'it is not among the hosts that are allowed';

interface Judge {
  /** Why a name is refused by sight; undefined when its addresses decide. */
  name(name: string): string | undefined;
  address(address: string, kind: AddressKind, name: string | undefined): string | undefined;
}

const denyPrivate = (loopback: 'allow' | 'deny'): Judge => {
  const judge = (kind: AddressKind | HostNameKind): string | undefined => {
    if (kind === 'public' || kind === 'unknown') return undefined;
    return kind === 'loopback' && loopback === 'allow' ? undefined : WHY[kind];
  };
  return { name: (name) => judge(hostNameKind(name)), address: (_address, kind) => judge(kind) };
};

const onlyListed = (list: AllowList): Judge => ({
  name: (name) => (!list.allowsName(name) && hostNameKind(name) === 'metadata' ? WHY.metadata : undefined),
  address: (address, kind, name) => {
    if (list.namesAddress(address)) return undefined;
    // The owner of a listed name must not reach the credentials of the machine through its name server.
    if (kind === 'metadata') return WHY.metadata;
    if (name !== undefined && list.allowsName(name)) return undefined;
    return list.allowsAddress(address, kind) ? undefined : NOT_LISTED;
  },
});

const ALLOW_ALL: Judge = { name: () => undefined, address: () => undefined };

const judgeOf = (policy: UrlPolicy): Judge => {
  switch (policy.mode) {
    case 'allow-all':
      return ALLOW_ALL;
    case 'deny-private':
      return denyPrivate(policy.loopback);
    case 'allow-list':
      return onlyListed(allowList(policy.hosts));
  }
};

export const createUrlGuard = (policy: UrlPolicy): UrlGuard => {
  const judge = judgeOf(policy);
  const refuseFor = (host: string, why: string | undefined): void => {
    if (why !== undefined) throw urlRefused(host, why);
  };
  const checkHost = (host: string): void => {
    const name = plainHost(host);
    if (name === '') throw urlRefused(host, 'it has no host');
    const kind = addressKind(name);
    refuseFor(host, kind === undefined ? judge.name(name) : judge.address(name, kind, undefined));
  };
  return {
    checkHost,
    checkUrl: (url) => {
      const parsed = typeof url === 'string' ? (URL.canParse(url) ? new URL(url) : undefined) : url;
      if (parsed === undefined) throw urlRefused(String(url), 'it is not a URL');
      if (!/^https?:$/u.test(parsed.protocol)) throw urlRefused(parsed.host, 'only http and https are supported');
      checkHost(parsed.hostname);
    },
    checkResolved: (host, addresses) => {
      const name = plainHost(host);
      refuseFor(host, judge.name(name));
      for (const address of addresses) {
        refuseFor(host, judge.address(address, addressKind(address) ?? 'reserved', name));
      }
    },
  };
};
