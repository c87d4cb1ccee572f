import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';

/** Which addresses may be connected to. A service that runs checks for others sets limits here. */
export interface Network {
  /** Throws when the URL may not be opened. */
  readonly admit: (url: string) => void;
  /** Resolves names, and refuses those that resolve to a forbidden address. */
  readonly lookup: LookupFunction;
  /** Connects in place of TCP, to a server inside this process. */
  readonly connect?: (port: number, host: string) => Duplex;
}
