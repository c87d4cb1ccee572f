import { isIP } from 'node:net';
import { CollectionError } from '../collections-error.js';
import { classOf } from './address-class.js';

export interface TargetPolicyOptions {
  /** `host`, `host:port` or `*.domain`. */
  readonly allowed: readonly string[];
  readonly loopback: boolean;
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

/** Where requests may go: loopback, and the hosts that the operator named. */
export class TargetPolicy {
  readonly #options: TargetPolicyOptions;

  constructor(options: TargetPolicyOptions) {
    this.#options = options;
  }

  /** The address to connect to. Whoever connects uses this one: a name may mean another a moment later. */
  async addressFor(url: URL): Promise<string> {
    const host = url.hostname.replace(/^\[|\]$/gu, '').toLowerCase();
    const named = this.#isNamed(host, url.port || (url.protocol === 'https:' ? '443' : '80'));
    const addresses = isIP(host) === 0 ? await this.#lookUp(host, named) : [host];
    const address = addresses.find((one) => this.#mayReach(one, host, named));
    if (address === undefined) throw refusal(host);
    return address;
  }

  async #lookUp(host: string, named: boolean): Promise<readonly string[]> {
    // Names are asked for only where that can lead somewhere: a look-up is a message to the outside as well.
    if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    if (!named) throw refusal(host);
    try {
      return await this.#options.resolve(host);
    } catch {
      throw new CollectionError('CONNECTION_FAILED', `The name ${host} cannot be resolved.`);
    }
  }

  #mayReach(address: string, host: string, named: boolean): boolean {
    switch (classOf(address)) {
      case 'loopback':
        return this.#options.loopback || (named && address === host);
      case 'special':
        return named && address === host;
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

const refusal = (host: string): CollectionError =>
  new CollectionError('HOST_NOT_ALLOWED', `The server does not allow requests to ${host}.`);
