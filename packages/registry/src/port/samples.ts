import type { Server } from '@plugboard/contract';

/** Servers to try, which come with the hub. */
export interface Samples {
  /** Registers those whose names are free, and gives what is registered of them then. */
  add(signal: AbortSignal): Promise<readonly Server[]>;
}
