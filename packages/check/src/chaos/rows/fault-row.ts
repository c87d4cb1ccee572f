import type { CheckTransport } from '@plugboard/contract';
import type { ProxyFault } from '@plugboard/testing/fault-proxy';

export type FaultLayer = 'TCP' | 'HTTP' | 'stdio' | 'JSON-RPC';

/** One thing that goes wrong between a client and a server, and what must hold afterwards. */
export interface FaultRow {
  readonly id: string;
  readonly title: string;
  readonly layer: FaultLayer;
  readonly transports: readonly CheckTransport[];
  /** What is armed; the numbers are drawn from the seed. */
  readonly fault: (random: () => number) => ProxyFault;
  /** The call must still succeed: the fault only delays or fragments its answer. */
  readonly isHarmless?: boolean;
  /** A client that reports success without asking again has accepted a forged answer. */
  readonly isForged?: boolean;
  /** Needs an answer of several events. */
  readonly needsEvents?: boolean;
  readonly remedy: string;
}

/** A whole number from `low` to `high`. */
export const between = (random: () => number, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

/** HTTP+SSE as well: a message is a POST, and its answer comes on the stream. */
export const HTTP_TRANSPORTS: readonly CheckTransport[] = ['streamable-http', 'sse'];
export const STREAMABLE_TRANSPORT: readonly CheckTransport[] = ['streamable-http'];
export const STDIO_TRANSPORT: readonly CheckTransport[] = ['stdio'];
export const EVERY_TRANSPORT: readonly CheckTransport[] = ['streamable-http', 'sse', 'stdio'];
