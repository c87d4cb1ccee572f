import type { ServerResponse } from 'node:http';
import type { JsonRpcMessage } from '@plugboard/wire';
import type { StartedReply } from '../../session/http-turn.js';
import { BackpressureWriter, type BackpressureOptions } from '../../http/backpressure-writer.js';
import { SseWriter } from '../../http/sse-writer.js';
import { lengthOf, writeKept } from '../../http/write-kept.js';

/** Where the events of one answer go. */
export interface AnswerStream {
  send(data: string): void;
  /** The same for the answer itself, where that makes a difference. */
  sendLast?(data: string): void;
  end(): void;
  /** Undefined while the client keeps up. */
  drained(): Promise<void> | undefined;
}

export interface PostReplyOptions {
  readonly response: ServerResponse;
  /** Does the client take event streams? */
  readonly acceptsStream: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Puts something between the events and the connection: ids, a log. */
  readonly wrap?: ((writer: SseWriter) => AnswerStream) | undefined;
  /** After this long the answer becomes a stream, so that comments can keep the connection alive. */
  readonly silentMs?: number | undefined;
  readonly backpressure?: BackpressureOptions | undefined;
}

export type FinalAnswer = Parameters<StartedReply['finish']>[0];

const DEFAULT_SILENT_MS = 5000;
/** Of an answer this small nothing stays in our memory. */
const AT_ONCE_BYTES = 16 * 1024;

/** The answer to one POST: plain JSON, unless something must be sent before the result, or it takes long. */
export class PostReply implements StartedReply {
  readonly #options: PostReplyOptions;
  readonly #silence: NodeJS.Timeout | undefined;
  #stream: AnswerStream | undefined;
  #finished = false;

  constructor(options: PostReplyOptions) {
    this.#options = options;
    if (!options.acceptsStream) return;
    this.#silence = setTimeout(() => this.#openQuietly(), options.silentMs ?? DEFAULT_SILENT_MS);
    this.#silence.unref();
  }

  get finished(): boolean {
    return this.#finished;
  }

  get streaming(): boolean {
    return this.#stream !== undefined;
  }

  /** Undefined while the client reads what it is sent; else settles when it does, or is gone. */
  readonly drained = (): Promise<void> | undefined => this.#stream?.drained();

  /** A message before the result. Clients that take no streams cannot have it. */
  deliver(message: JsonRpcMessage): void {
    if (this.#mayDeliver()) this.#open().send(JSON.stringify(message));
  }

  deliverText(message: string): void {
    if (this.#mayDeliver()) this.#open().send(message);
  }

  get canResume(): boolean {
    return this.#stream !== undefined && this.#options.wrap !== undefined;
  }

  #mayDeliver(): boolean {
    if (this.#finished || !this.#options.acceptsStream) return false;
    return this.#stream !== undefined || !this.#options.response.headersSent;
  }

  finish({ text, bytes, pieces, status = 200 }: FinalAnswer): void {
    if (this.#end()) return;
    if (this.#stream !== undefined) {
      if (this.#stream.sendLast === undefined) this.#stream.send(text());
      else this.#stream.sendLast(text());
      this.#stream.end();
      return;
    }
    const { response } = this.#options;
    if (response.destroyed || response.headersSent) return;
    if (bytes !== undefined) {
      this.#writeHead(status, lengthOf(bytes));
      writeKept(response, bytes, this.#options.backpressure);
    } else if (pieces === undefined) {
      this.#finishText(text(), status);
    } else {
      this.#finishPieces(pieces, status);
    }
  }

  /** A short text goes out in one write with its head. */
  #finishText(text: string, status: number): void {
    const length = Buffer.byteLength(text);
    if (length > AT_ONCE_BYTES) {
      this.#finishPieces([Buffer.from(text)], status);
      return;
    }
    this.#writeHead(status, length);
    this.#options.response.end(text);
  }

  #finishPieces(pieces: readonly Buffer[], status: number): void {
    const { response, backpressure } = this.#options;
    const length = lengthOf(pieces);
    this.#writeHead(status, length);
    if (length <= AT_ONCE_BYTES) {
      response.end(Buffer.concat(pieces));
      return;
    }
    const writer = new BackpressureWriter(response, backpressure);
    for (const piece of pieces) writer.write(piece);
    writer.end();
  }

  #writeHead(status: number, length: number): void {
    this.#options.response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...this.#options.headers,
      'content-length': length,
    });
  }

  /** There will be no result: the client took the request back. */
  abandon(): void {
    if (this.#end()) return;
    if (this.#options.response.destroyed) return;
    if (this.#stream !== undefined) this.#stream.end();
    else this.#options.response.writeHead(202, { ...this.#options.headers, 'content-length': 0 }).end();
  }

  /** Nothing more is sent through this reply. Another part answers instead and must not be interrupted. */
  release(): void {
    if (!this.#end()) this.#stream?.end();
  }

  /** True when it was over already. */
  #end(): boolean {
    const already = this.#finished;
    this.#finished = true;
    clearTimeout(this.#silence);
    return already;
  }

  /** Somebody else may have answered, or the client may be gone. */
  #openQuietly(): void {
    const { response } = this.#options;
    if (!this.#finished && !response.headersSent && !response.destroyed) this.#open();
  }

  #open(): AnswerStream {
    if (this.#stream === undefined) {
      clearTimeout(this.#silence);
      const { response, headers, wrap } = this.#options;
      const writer = new SseWriter(response, { ...this.#options.backpressure, headers });
      this.#stream = wrap === undefined ? writer : wrap(writer);
    }
    return this.#stream;
  }
}
