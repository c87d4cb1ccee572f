import type { ServerProtocol } from '@plugboard/contract';
import type { SentLine, SentPost, WaitingLines } from './claimed-request.js';
import type { McpClientError } from '../error/client-error.js';
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcResult,
  JsonRpcFailure,
  Revision,
} from '@plugboard/wire';
import type { HttpChannel } from './http-channel.js';
import type { OpenLargeAnswer } from './large-answer.js';

export type TransportKind = ServerProtocol['transport'];

/** What a server sends on its own: a request to us or a notification. */
export type Incoming =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification };

/** Undefined: the receiver keeps up. */
export type Pace = () => Promise<void> | undefined;

/** One request of ours while it waits for its answer. */
export interface Exchange {
  readonly signal: AbortSignal;
  /** Messages that came on behalf of this request. */
  readonly onIncoming: (incoming: Incoming) => void;
  /** Bytes arrived for this request. */
  readonly onActivity?: (() => void) | undefined;
  /** Asked after each message: nothing more is read for this request before the promise settles. */
  readonly pace?: Pace | undefined;
  /** Nothing is read for this request until then, for the sake of another: its clock stands. */
  readonly onHeldUp?: ((until: Promise<void>) => void) | undefined;
  /** HTTP fields of this request alone, such as `Mcp-Param-*`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The request was sent already, and this is what came of it. */
  readonly underWay?: SentLine | SentPost | undefined;
  /** Identifies the call in the log of messages. */
  readonly callId?: string | undefined;
  /** For an answer that is too large for the event loop. */
  readonly openLarge?: OpenLargeAnswer | undefined;
}

/** Where and how bytes are posted, for those who write messages themselves. */
export interface PostTarget {
  readonly kind: 'post';
  readonly channel: HttpChannel;
  readonly url: URL;
  /** The fields of a request that calls a tool, without those that repeat its parameters. */
  fields(proof: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}

/** What a written line is told. */
export interface LineWriter {
  /** The whole line is in the pipe. */
  onWritten(): void;
  /** It is not, and the program is gone. */
  fail(error: McpClientError): void;
}

/** The pipe of a program, for those who write lines themselves. */
export interface PipeTarget {
  readonly kind: 'pipe';
  /** Is the program there, and does it read what it is sent? */
  isReady(): boolean;
  write(line: Buffer, writer: LineWriter): void;
  /** From now on, answers to these lines are theirs. */
  attach(sent: WaitingLines): void;
}

/** How messages are sent as bytes. */
export type DirectTarget = PostTarget | PipeTarget;

/** Where a transport puts what belongs to no request of ours. */
export interface TransportEvents {
  readonly onIncoming: (incoming: Incoming) => void;
  /** Backpressure of the one client that the connection serves; left out where several share it. */
  readonly pace?: Pace | undefined;
  /** The server's process has to wait for a place; what it returns is called when the wait is over. */
  readonly onQueued?: (() => () => void) | undefined;
  /** Something arrived that is not a message: noise on stdout, an unreadable event. */
  readonly onNoise?: ((text: string) => void) | undefined;
  /** The link is gone; everything in flight has been told already. */
  readonly onLost: (cause: unknown) => void;
}

/** A link to one server. Errors are of the client's family and say what became of the request. */
export interface Transport {
  readonly kind: TransportKind;
  readonly sessionId: string | undefined;
  open(signal: AbortSignal): Promise<void>;
  request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse>;
  send(message: JsonRpcNotification | JsonRpcResult | JsonRpcFailure, signal: AbortSignal): Promise<void>;
  /** From now on messages look like this revision wants them. */
  adopt(revision: Revision): void;
  /**
   * Opens the stream for what the server sends unasked, where there is a separate one; resolves when it is over.
   * `onOpen` is called once it is there, or cannot be.
   */
  listen?(signal: AbortSignal, onOpen?: () => void): Promise<void>;
  /** Present where messages may be sent as bytes. */
  direct?(): DirectTarget;
  /** How many requests were sent as bytes and wait for an answer on a channel that all share. */
  readonly sentAsBytes?: number | undefined;
  close(): Promise<void>;
}
