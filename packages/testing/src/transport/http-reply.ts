import type { ServerResponse } from 'node:http';
import type { Outcome } from '../behaviour/answer.js';
import type { AnswerMode } from '../definition/server-options.js';
import type { Fault } from '../fault/fault.js';
import type { JsonRpcMessage } from '../json-rpc/message.js';
import { ByteSink } from './byte-sink.js';
import { disturb } from './disturb.js';
import { encodeEvent, SseStream } from './sse-stream.js';

export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

interface HttpReplyOptions {
  readonly mode: AnswerMode;
  readonly fault: Fault;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes streamed answers resumable under this id. */
  readonly onStream?: () => { readonly id: string; readonly opened: (stream: SseStream) => void };
}

/** The answer to one POST: a status, a JSON body or a stream, with its fault played. */
export class HttpReply {
  readonly #response: ServerResponse;
  readonly #options: HttpReplyOptions;
  readonly #sink: ByteSink;
  #headers: Record<string, string>;
  #stream: SseStream | undefined;

  constructor(response: ServerResponse, options: HttpReplyOptions) {
    this.#response = response;
    this.#options = options;
    this.#sink = new ByteSink(response, options.fault);
    this.#headers = { ...options.headers, ...options.fault.headers };
  }

  setHeader(name: string, value: string): void {
    this.#headers = { [name]: value, ...this.#headers };
  }

  /** Something before the answer: this makes it a stream. */
  send(message: JsonRpcMessage): void {
    if (this.#options.mode === 'json') return;
    this.#open().push(message);
  }

  /** Leaves the stream without a connection until the client comes back for it. */
  breakOff(): void {
    this.#open().leave();
  }

  async status(status: number, body = '', contentType = 'application/json'): Promise<void> {
    const type = this.#options.fault.contentType ?? contentType;
    this.#response.writeHead(status, { ...this.#headers, ...(body === '' ? {} : { 'content-type': type }) });
    if (body !== '') this.#sink.write(body);
    await this.#sink.end();
  }

  async finish({ response, httpStatus }: Outcome): Promise<void> {
    const { fault, mode } = this.#options;
    const answer = disturb(response, fault);
    const streamed = this.#stream !== undefined || mode === 'sse' || fault.endStreamAfter !== undefined;
    if (!streamed || (httpStatus !== 200 && this.#stream === undefined)) {
      return await this.status(httpStatus, JSON.stringify(answer));
    }
    const stream = this.#open();
    for (const line of fault.noise ?? []) stream.comment(line);
    stream.push(answer);
    if (fault.duplicate === true) stream.push(answer);
    return await stream.finish();
  }

  /** Plays a fault that stands in place of the answer. */
  async replace(): Promise<void> {
    const { fault } = this.#options;
    if (fault.cut === true) this.#response.socket?.destroy();
    else if (fault.hang !== undefined) this.#hang(fault.hang);
    else await this.status(fault.status ?? 200, fault.body ?? '', fault.contentType ?? 'application/json');
  }

  /** Ends the exchange without an answer, as after a cancellation. */
  async abandon(): Promise<void> {
    if (this.#stream === undefined) await this.status(202);
    else await this.#stream.finish();
  }

  #hang(how: NonNullable<Fault['hang']>): void {
    if (how === 'silent') return;
    this.#response.writeHead(200, { ...SSE_HEADERS, ...this.#headers });
    this.#response.flushHeaders();
    const event = encodeEvent({ event: 'message', data: '{"jsonrpc":"2.0","id":1,"result":{}}' });
    if (how === 'mid-event') this.#sink.write(event.slice(0, Math.floor(event.length / 2)));
  }

  #open(): SseStream {
    if (this.#stream !== undefined) return this.#stream;
    const { fault } = this.#options;
    const resumable = this.#options.onStream?.();
    const stream = new SseStream({ id: resumable?.id, endAfter: fault.endStreamAfter });
    resumable?.opened(stream);
    const contentType = fault.contentType === undefined ? {} : { 'content-type': fault.contentType };
    this.#response.writeHead(200, { ...SSE_HEADERS, ...contentType, ...this.#headers });
    this.#response.flushHeaders();
    stream.attach(this.#sink);
    this.#stream = stream;
    return stream;
  }
}
