import type { Classified, RequestId } from '@plugboard/wire';

/** A longer answer takes milliseconds to read: whoever has another thread for that reads it there. */
export const LARGE_ANSWER_BYTES = 512 * 1024;

/** Reads one large answer somewhere else than on the event loop. */
export interface LargeAnswer extends Disposable {
  push(chunk: Uint8Array): void;
  /** The messages in it, once all of it was pushed. */
  finish(): Promise<readonly Classified[]>;
}

/** Undefined when nobody can: then it is read as any other. `id` is that of the request. */
export type OpenLargeAnswer = (id: RequestId) => LargeAnswer | undefined;
