import { isIP } from 'node:net';
import { SendError } from './send-error.js';
import { classOf } from './address-class.js';

const TARGET = /^(?:\*\.)?(?:[\w.-]+|\[[\da-f:.]+\]|[\da-f:]+)(?::\d{1,5})?$/iu;

/** Whether an operator may name this as a target: `host`, `host:port` or `*.domain`. */
export const isTarget = (text: string): boolean => TARGET.test(text);

export interface TargetPolicyOptions {
  /** `host`, `host:port` or `*.domain`. */
  readonly allowed: readonly string[];
  readonly loopback: boolean;
  /** Origins on this machine that requests may go to without being named; the others are refused. */
  readonly ownOrigins?: ReadonlySet<string>;
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

/** Where requests may go: the hosts that the operator named, and the loopback origins of the collection itself. */
export class TargetPolicy {
  readonly #options: TargetPolicyOptions;

  constructor(options: TargetPolicyOptions) {
    this.#options = options;
  }

  /** The same policy for a collection whose files name these origins. */
  withOwnOrigins(ownOrigins: ReadonlySet<string>): TargetPolicy {
    return new TargetPolicy({ ...this.#options, ownOrigins });
  }

  /** The address to connect to. Whoever connects uses this one: a name may mean another a moment later. */
  async addressFor(url: URL): Promise<string> {
    const host = bare(url.hostname);
    const named = this.#isNamed(host, url.port || (url.protocol === 'https:' ? '443' : '80'));
    const addresses = isIP(host) === 0 ? await this.#lookUp(url, host, named) : [host];
    const address = addresses.find((one) => this.#mayReach(one, url, named));
    if (address === undefined) throw refusal(url);
    return address;
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
    switch (classOf(address)) {
      case 'loopback':
        // An allowed name that turns out to mean this machine is a rebinding, not a permission.
        return (loopback && ownOrigins?.has(url.origin) === true) || (named && isThisMachine(bare(url.hostname)));
      case 'special':
        return named && address === bare(url.hostname);
      case 'other':
        return named;
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
  if (isIP(text) === 6) return { name: text, port: undefined };
  const [name = '', port] = text.split(':');
  return { name, port };
};

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/gu, '').toLowerCase();

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && classOf(host) === 'loopback');

const refusal = ({ host }: URL): SendError =>
  new SendError('HOST_NOT_ALLOWED', `The server does not allow requests to ${host}.`);
