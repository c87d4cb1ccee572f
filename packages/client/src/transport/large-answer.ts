import type { Classified, RequestId } from '@plugboard/wire';

/** Longer answers take milliseconds to parse, so they can be read in another thread. */
export const LARGE_ANSWER_BYTES = 512 * 1024;

/** Reads one large answer somewhere else than on the event loop. */
export interface LargeAnswer extends Disposable {
  /** What it gets may be lent. */
  push(chunk: Uint8Array): void;
  /** The messages in it, once all of it was pushed. */
  finish(): Promise<readonly Classified[]>;
}

/** Undefined when nobody can: then it is read as any other. `id` is that of the request. */
export type OpenLargeAnswer = (id: RequestId) => LargeAnswer | undefined;
