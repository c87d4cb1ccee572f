import type { JsonRpcResponse } from '@plugboard/wire';
import type { McpClientError } from '../error/client-error.js';
import type { SentAnswer } from './http-channel.js';
import type { SentRequests } from './pending-answers.js';
import type { Incoming } from './transport.js';

/** A request that was posted over HTTP on the fast path, and continues in a transport. */
export interface SentPost {
  readonly kind: 'post';
  /** Its answer, for the first caller; undefined for all others. */
  claim(signal: AbortSignal): Promise<SentAnswer> | undefined;
}

/** What became of a line until it was claimed. */
export interface ClaimedLine {
  /** Settles when the whole line is in the pipe. */
  readonly written: Promise<void>;
  /** What the server sent because of it. */
  readonly incoming: readonly Incoming[];
  readonly response: JsonRpcResponse | undefined;
  /** Its answer as it came, too large for the event loop. */
  readonly large?: Uint8Array | undefined;
}

/** A request that was written to the pipe of a program on the fast path, and continues in a transport. */
export interface SentLine {
  readonly kind: 'line';
  /** For the first caller; undefined for all others. What comes later is read by the transport. */
  claim(): ClaimedLine | undefined;
}

/** The lines that wait for their answers on the fast path. */
export interface WaitingLines extends SentRequests {
  /** Gives a plain answer to the call that waits for it. False when the line is anything else. */
  takeLine(line: Uint8Array): boolean;
  /** Gives an answer of any other form to the call that waits for it. */
  takeResponse(response: JsonRpcResponse): boolean;
  /** Gives a large answer, still unread, to the call that waits for it. */
  takeLarge(id: number, line: Uint8Array): boolean;
  /** The program is gone. */
  fail(error: McpClientError): void;
}
