import type { AnswerSpans, Era, Span } from '@plugboard/wire';
import type { TransportKind } from '../../transport/transport.js';
import type { FieldList } from '../http1/plain-fields.js';
import type { UnderWay } from './sent-request.js';

/** Why an exchange cannot end on the fast path. */
export type Unusual =
  | 'status'
  | 'content-type'
  | 'stream'
  | 'notification'
  | 'question'
  | 'too-large'
  | 'too-slow'
  | 'failed'
  | 'answer';

export interface DirectListener {
  /**
   * The JSON-RPC message that answers, as bytes, with its parts where they are known already. False when somebody else
   * should look at it. Bytes with a `release` are lent to a listener that takes them, until it calls that.
   */
  onAnswer(message: Buffer, spans?: AnswerSpans, release?: () => void): boolean;
  /** The server reports progress of the call, with the token that it was given. False when the full path should pass it on. */
  onProgress(message: Buffer, token: Span): boolean;
  /** It continues on the full path, if the listener hands it over. */
  onUnusual(reason: Unusual): void;
}

/** A JSON-RPC request that is written already. */
export interface DirectMessage {
  readonly id: number;
  /** With the ending that the line asks for. */
  readonly body: Buffer;
  /** HTTP fields of this request alone. */
  readonly headers: FieldList;
  /** What is longer is read on the full path. */
  readonly maxBytes: number;
  /** May log messages of the server belong to this request? */
  readonly wantsLog: boolean;
}

/** One request on the fast path, from its place in the bulkhead to its answer. */
export interface FastExchange {
  /** From now on it is the first attempt of a call on the full path. */
  handOver(): UnderWay;
}

/** The fast path to a server over one open session: bytes in, bytes out, for calls that need nothing else. */
export interface FastLine {
  readonly transport: TransportKind;
  readonly era: Era;
  readonly revision: string;
  /** What each message ends with on the wire. */
  readonly ending: string;
  /** An id that no other request of this connection has. */
  nextId(): number;
  /** Takes a place for a message; undefined when the server may not be called at once. */
  prepare(message: DirectMessage, listener: DirectListener): FastExchange | undefined;
  /** Sends the message that the exchange was prepared for. */
  post(message: DirectMessage, exchange: FastExchange): void;
  /** Tells the server that nobody waits for the answer any more. */
  cancel(exchange: FastExchange): void;
}
