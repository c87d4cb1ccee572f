import { addressKind, ipFamily, plainHost } from '@plugboard/base';
import { SendError } from './send-error.js';
import type { Destinations } from './send-request.js';

const TARGET = /^(?:\*\.)?(?:[\w.-]+|\[[\da-f:.]+\]|[\da-f:]+)(?::\d{1,5})?$/iu;

/** What an operator may name as a target: `host`, `host:port` or `*.domain`. */
export const TARGET_RULE = {
  isRight: (text: string): boolean => TARGET.test(text),
  what: 'a host, a host with a port, or *.domain',
};

export interface TargetPolicyOptions {
  /** `host`, `host:port` or `*.domain`. */
  readonly allowed: readonly string[];
  readonly loopback: boolean;
  /** Origins on this machine that requests may go to without being named; the others are refused. */
  readonly ownOrigins?: ReadonlySet<string>;
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

/** Where requests may go: the hosts that the operator named, and the loopback origins of the collection itself. */
export class TargetPolicy implements Destinations {
  readonly #options: TargetPolicyOptions;

  constructor(options: TargetPolicyOptions) {
    this.#options = options;
  }

  /** The same policy for a collection whose files name these origins. */
  withOwnOrigins(ownOrigins: ReadonlySet<string>): TargetPolicy {
    return new TargetPolicy({ ...this.#options, ownOrigins });
  }

  async addressesFor(url: URL): Promise<readonly string[]> {
    const host = plainHost(url.hostname);
    const named = this.#isNamed(host, url.port || (url.protocol === 'https:' ? '443' : '80'));
    const addresses = ipFamily(host) === undefined ? await this.#lookUp(url, host, named) : [host];
    const reachable = addresses.filter((address) => this.#mayReach(address, url, named));
    if (reachable.length === 0) throw refusal(url);
    return reachable;
  }

  async #lookUp(url: URL, host: string, named: boolean): Promise<readonly string[]> {
    // Names are asked for only where that can lead somewhere: a look-up is a message to the outside as well.
    if (isThisMachine(host)) return ['127.0.0.1', '::1'];
    if (!named) throw refusal(url);
    try {
      return await this.#options.resolve(host);
    } catch {
      throw new SendError('CONNECTION_FAILED', `The name ${host} cannot be resolved.`);
    }
  }

  #mayReach(address: string, url: URL, named: boolean): boolean {
    const { loopback, ownOrigins } = this.#options;
    switch (addressKind(address)) {
      case 'loopback':
        // An allowed name that turns out to mean this machine is a rebinding, not a permission.
        return (loopback && ownOrigins?.has(url.origin) === true) || (named && isThisMachine(plainHost(url.hostname)));
      case 'public':
      case 'private':
        return named;
      case 'metadata':
      case 'reserved':
      case undefined:
        // Never the address of an API, unless the operator named this very address.
        return named && address === plainHost(url.hostname);
    }
  }

  #isNamed(host: string, port: string): boolean {
    return this.#options.allowed.map(parseTarget).some((target) => {
      if (target.port !== undefined && target.port !== port) return false;
      const { name } = target;
      return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length >= name.length : host === name;
    });
  }
}

interface Target {
  readonly name: string;
  readonly port: string | undefined;
}

const parseTarget = (entry: string): Target => {
  const text = entry.toLowerCase();
  const bracketed = /^\[(?<name>[^\]]+)\](?::(?<port>\d+))?$/u.exec(text)?.groups;
  if (bracketed !== undefined) return { name: bracketed['name'] ?? '', port: bracketed['port'] };
  if (ipFamily(text) === 'ipv6') return { name: text, port: undefined };
  const [name = '', port] = text.split(':');
  return { name, port };
};

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || addressKind(host) === 'loopback';

const refusal = ({ host }: URL): SendError =>
  new SendError('HOST_NOT_ALLOWED', `The server does not allow requests to ${host}.`);
