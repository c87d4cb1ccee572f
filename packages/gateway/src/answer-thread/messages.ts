import type { Settled, SettleOptions } from './settle-answer.js';

/** To the thread: a piece of an answer; its end, with what has to be known of the call; or that nobody wants it. */
export type ToLargeAnswers =
  | { readonly job: number; readonly piece: Uint8Array; readonly bytes: number }
  | { readonly job: number; readonly options: SettleOptions }
  | { readonly job: number };

export type FromLargeAnswers =
  /** The memory of a piece, to be used again. */
  | { readonly used: Uint8Array }
  | { readonly job: number; readonly settled: Settled }
  | { readonly job: number; readonly failure: string };
