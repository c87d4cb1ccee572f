/** A stream of the server that is held open. */
export interface HeldStream {
  /** Resolves when it ends: by the server, by the network, or by `close`. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Longer than any run. */
export const STREAM_MS = 2 ** 31 - 1;
