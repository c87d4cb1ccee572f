import type { AdminAppOptions, Registry, Siblings } from '@plugboard/registry';

/** What a hub is told that listens: of the other processes, and of servers to try. */
export interface ComposeOptions {
  /** Other processes on the same store serve the same clients. */
  readonly joinsFleet?: boolean | undefined;
  /** The key of commands on this machine; a new one when left out. */
  readonly localKey?: string | undefined;
  /** The other processes on the embedded store. */
  readonly siblings?: Siblings | undefined;
  /** Servers to try, which the API can add. */
  readonly samplesOf?: ((registry: Registry) => AdminAppOptions['samples']) | undefined;
}
