import { networkInterfaces } from 'node:os';
import { addressKind, unmappedAddress } from '@plugboard/base';
import type { StrangerRules } from '@plugboard/client';

const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const ofThisMachine = (address: string): boolean =>
  Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address) === true);

/** Where this hub can be reached: what strangers name must not lead there. */
export class OwnPlaces implements StrangerRules {
  readonly #publicOrigin: string | undefined;
  #port: number | undefined;

  constructor(publicUrl: string | undefined) {
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  listensAt(url: string): void {
    this.#port = Number(new URL(url).port || 80);
  }

  readonly isOwnAddress = (given: string, port: number): boolean => {
    if (port !== this.#port) return false;
    const address = unmappedAddress(given);
    return ANY.has(address) || addressKind(given) === 'loopback' || ofThisMachine(address);
  };

  readonly isOwnUrl = (url: URL): boolean => url.origin === this.#publicOrigin;
}
