import type { IncomingHttpHeaders } from 'node:http';

/** A POST that is written already, but for its length. */
export interface Http1Request {
  /** The request line and the fields in latin1, each line with CRLF; no content-length and no empty line. */
  readonly head: string;
  readonly body: Buffer;
}

/** What a handler can do about its request while it is in flight; afterwards nothing. */
export interface Http1Controller {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

export interface ResponseHead {
  /** As it was sent; empty when it was not. */
  readonly contentType: string;
  /** All fields under lower-case names, repeated ones joined as node:http does it. */
  headers(): IncomingHttpHeaders;
}

/** Hears of one request: its end or its failure, never both and never twice. */
export interface Http1Handler {
  /** It has a connection and is about to be written. */
  onRequestStart(controller: Http1Controller): void;
  onResponseStart(controller: Http1Controller, status: number, head: ResponseHead): void;
  /** A view of what was read; it may be lent. */
  onResponseData(controller: Http1Controller, chunk: Buffer): void;
  /** True when the answer is known to belong to the request: only then is the connection used again. */
  onResponseEnd(): boolean;
  /** Without a controller when it never had a connection. */
  onResponseError(controller: Http1Controller | undefined, error: Error): void;
}
