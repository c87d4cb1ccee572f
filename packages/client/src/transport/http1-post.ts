import type { IncomingHttpHeaders } from 'node:http';
import { type Deferred, deferred } from '@plugboard/base';
import { abortedError } from '../error/aborted-error.js';
import { networkError } from '../error/network-error.js';
import { HandedOverBody } from '../fast-path/http1/handed-over-body.js';
import type { Http1Controller, Http1Handler, ResponseHead } from '../fast-path/http1/http1-handler.js';
import type { Http1Pool } from '../fast-path/http1/http1-pool.js';
import { type FieldList, isPlain, isSame, linesOf, postStart } from '../fast-path/http1/plain-fields.js';
import { ownBytes } from '../read-buffer/kept-bytes.js';
import type { AnswerBody, HttpAnswer } from './http-channel.js';

/** JSON that is longer is read, and counted, as it comes. */
const GATHERED_BYTES = 32 * 1024;

/** Shorter ids may be anywhere in an answer by chance. */
const LEAST_TELLING_ID = 2 ** 48;

const unwanted = (): Error => Object.assign(new Error('nobody waits for it'), { code: 'UND_ERR_ABORTED' });

const FINISHED: Http1Controller = { pause: () => undefined, resume: () => undefined, abort: () => undefined };

export interface Http1Ask {
  readonly url: URL;
  /** The id of the request in the body: an answer that names it belongs to it. */
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Bytes of the answer came. */
  readonly onActivity?: (() => void) | undefined;
  /** Counts what is kept of the answer while it is read. */
  readonly room?: HttpAnswer['room'];
}

/** An answer of JSON that is there as a whole. */
class WholeAnswer implements HttpAnswer {
  readonly status: number;
  readonly whole: Buffer;
  readonly #head: ResponseHead;
  #body: AnswerBody | undefined;

  constructor(status: number, head: ResponseHead, whole: Buffer) {
    this.status = status;
    this.whole = whole;
    this.#head = head;
  }

  get headers(): IncomingHttpHeaders {
    return this.#head.headers();
  }

  /** For those who read it as a stream. */
  get body(): AnswerBody {
    if (this.#body === undefined) {
      const body = new HandedOverBody(FINISHED, [this.whole]);
      body.complete();
      this.#body = body;
    }
    return this.#body;
  }
}

/** One POST and its answer. A short answer of JSON is gathered; the body of any other is read by those who want it. */
class PostedAsk implements Http1Handler {
  private readonly ask: Http1Ask;
  private readonly answer: Deferred<HttpAnswer>;
  private readonly idText: string;
  private controller: Http1Controller | undefined;
  private status = 0;
  private head: ResponseHead | undefined;
  private chunks: Buffer[] = [];
  private size = 0;
  private body: HandedOverBody | undefined;
  private proven = false;
  private isOver = false;

  constructor(ask: Http1Ask, answer: Deferred<HttpAnswer>) {
    this.ask = ask;
    this.answer = answer;
    this.idText = String(ask.id);
    ask.signal.addEventListener('abort', this);
  }

  /** The caller does not wait for the head of the answer any more. */
  handleEvent(): void {
    this.leave();
    this.answer.reject(abortedError(this.ask.signal, 'ambiguous'));
    this.controller?.abort(unwanted());
  }

  onRequestStart(controller: Http1Controller): void {
    this.controller = controller;
    if (this.isOver) controller.abort(unwanted());
  }

  onResponseStart(_controller: Http1Controller, status: number, head: ResponseHead): void {
    this.status = status;
    this.head = head;
    if (status !== 200 || !head.contentType.startsWith('application/json')) this.tell();
  }

  onResponseData(_controller: Http1Controller, chunk: Buffer): void {
    this.proven ||= chunk.includes(this.idText);
    if (this.body !== undefined) {
      this.body.give(chunk);
      return;
    }
    if (this.isOver) return;
    this.ask.onActivity?.();
    this.size += chunk.length;
    this.chunks.push(ownBytes(chunk));
    if (this.size > GATHERED_BYTES) this.tell();
  }

  onResponseEnd(): boolean {
    const { head, body, chunks } = this;
    if (body !== undefined) {
      body.complete();
    } else if (head !== undefined && !this.isOver) {
      this.leave();
      const [first] = chunks;
      const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      this.proven ||= whole.includes(this.idText);
      this.answer.resolve(new WholeAnswer(this.status, head, whole));
    }
    return this.proven;
  }

  onResponseError(_controller: Http1Controller | undefined, error: Error): void {
    if (this.body !== undefined) {
      this.body.fail(error);
      return;
    }
    this.leave();
    const failure = networkError(error, this.ask.url.host);
    this.answer.reject(this.status === 0 ? failure : failure.with({ delivery: 'ambiguous' }));
  }

  /** From here on the body is somebody else's. */
  private tell(): void {
    const { controller, head } = this;
    if (controller === undefined || head === undefined || this.isOver) return;
    this.leave();
    this.body = new HandedOverBody(controller, this.chunks);
    const { room } = this.ask;
    this.answer.resolve({ status: this.status, headers: head.headers(), body: this.body, room });
  }

  private leave(): void {
    this.isOver = true;
    this.ask.signal.removeEventListener('abort', this);
  }
}

/** Posts requests of the full path over the connections of the fast path: they need little of what undici does. */
export class Http1Posts {
  readonly #pool: Http1Pool;
  #last: { readonly url: URL; readonly fields: FieldList; readonly head: string | undefined } | undefined;

  constructor(pool: Http1Pool) {
    this.#pool = pool;
  }

  /** Undefined for what undici has to send. */
  post(ask: Http1Ask): Promise<HttpAnswer> | undefined {
    const head = ask.id < LEAST_TELLING_ID ? undefined : this.#headOf(ask);
    if (head === undefined) return undefined;
    const answer = deferred<HttpAnswer>();
    this.#pool.post({ head, body: Buffer.from(ask.body) }, new PostedAsk(ask, answer));
    return answer.promise;
  }

  /** Most requests have the fields of the one before. */
  #headOf({ url, headers }: Http1Ask): string | undefined {
    const fields: string[] = [];
    for (const name in headers) fields.push(name, headers[name] ?? '');
    if (this.#last?.url !== url || !isSame(this.#last.fields, fields)) {
      this.#last = { url, fields, head: isPlain(fields) ? postStart(url) + linesOf(fields) : undefined };
    }
    return this.#last.head;
  }
}
