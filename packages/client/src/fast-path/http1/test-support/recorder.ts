import type { IncomingHttpHeaders } from 'node:http';
import { deferred } from '@plugboard/base';
import { ownBytes } from '../../../read-buffer/kept-bytes.js';
import type { Http1Controller, Http1Handler, ResponseHead } from '../http1-handler.js';

export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Writes down what a handler hears. */
export class Recorder implements Http1Handler {
  readonly events: string[] = [];
  controller: Http1Controller | undefined;
  size = 0;
  /** Is the answer taken for the one that was asked for? */
  trusts = true;
  readonly #answer = deferred<RecordedAnswer>();
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #head: ResponseHead | undefined;

  constructor() {
    this.#answer.promise.catch(() => undefined);
  }

  get answer(): Promise<RecordedAnswer> {
    return this.#answer.promise;
  }

  onRequestStart(controller: Http1Controller): void {
    this.controller = controller;
    this.events.push('start');
  }

  onResponseStart(_controller: Http1Controller, status: number, head: ResponseHead): void {
    this.events.push('head');
    this.#status = status;
    this.#head = head;
  }

  onResponseData(_controller: Http1Controller, chunk: Buffer): void {
    if (this.size === 0) this.events.push('data');
    this.size += chunk.length;
    this.#chunks.push(ownBytes(chunk));
  }

  onResponseEnd(): boolean {
    this.events.push('end');
    this.#answer.resolve({
      status: this.#status,
      contentType: this.#head?.contentType ?? '',
      headers: { ...this.#head?.headers() },
      body: Buffer.concat(this.#chunks),
    });
    return this.trusts;
  }

  onResponseError(controller: Http1Controller | undefined, error: Error): void {
    this.events.push(controller === undefined ? 'error-unstarted' : 'error');
    this.#answer.reject(error);
  }
}
