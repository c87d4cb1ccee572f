import type { JsonObject, JsonRpcFailure } from '../json-rpc/message.js';

/** Where in a call a process dies. */
export type CrashPhase = 'before-read' | 'after-read' | 'while-working' | 'after-result';

/**
 * What goes wrong with one message. Plain JSON, so that it also travels to a real process. Members combine: a delay and
 * a status are a late status. What a transport has no notion of (a status on stdio) is ignored there.
 */
export interface Fault {
  readonly delayMs?: number;
  /** Play the fault after the handler ran; without it the handler never runs. */
  readonly afterHandler?: boolean;
  /** HTTP status instead of an answer; with `body` when given. */
  readonly status?: number;
  /** Raw bytes instead of an answer: a body over HTTP, a line over stdio. */
  readonly body?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: JsonRpcFailure;
  readonly result?: JsonObject;
  readonly hang?: 'silent' | 'after-headers' | 'mid-event';
  /** The stream ends after this many events; the answer counts as one. */
  readonly endStreamAfter?: number;
  readonly cut?: boolean;
  readonly drip?: { readonly bytes: number; readonly everyMs: number };
  /** The session is forgotten before the message is looked at. */
  readonly dropSession?: boolean;
  readonly sessionId?: string;
  /** Lines (stdio) or comments (SSE) before the answer. */
  readonly noise?: readonly string[];
  /** A list that always has one more page. */
  readonly endlessPages?: boolean;
  readonly crash?: CrashPhase;
  /** The answer is padded to at least this many bytes. */
  readonly padTo?: number;
  readonly wrongId?: boolean;
  readonly duplicate?: boolean;
  readonly lineEnding?: '\n' | '\r\n';
  /** Written in pieces of this many bytes, so that characters are split. */
  readonly splitBytes?: number;
}

export const NO_FAULT: Fault = {};
