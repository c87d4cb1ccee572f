import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Http1Controller, Http1Handler, Http1Pool, ResponseHead } from '@plugboard/client';
import { type HttpExchange, requestIdsIn } from '@plugboard/gateway';
import { EventBoundary } from './event-boundary.js';
import { isOfChannel, isOfConnection, isOriginForm, NOT_HERE, type PassOutcome } from './pass-on.js';
import type { Pulse } from './pulse.js';
import { tellAmbiguous } from './tell-ambiguous.js';

export interface SmallPassing extends HttpExchange {
  /** The connections to a process on this machine. */
  readonly pool: Http1Pool;
  /** The proof, and what it proves. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Of that process. */
  readonly pulse: Pulse;
  /** The connection is free again, or was lost. */
  readonly onOver: () => void;
}

const abandoned = (): Error => new Error('the caller went away');
const silent = (): Error => new Error('the other process gave no sign of life');

/** The request line and the fields: those of the caller, and those of the channel. The length comes with the body. */
const headOf = (
  { rawHeaders, url = '/' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  own: Readonly<Record<string, string>>,
): string => {
  let head = `POST ${url} HTTP/1.1\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (isOfConnection(name) || isOfChannel(name) || name === 'content-length') continue;
    head += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  for (const name in own) head += `${name}: ${own[name]}\r\n`;
  return head;
};

const fieldsOf = (headers: IncomingHttpHeaders): OutgoingHttpHeaders => {
  const fields: OutgoingHttpHeaders = {};
  for (const name in headers) if (!isOfConnection(name)) fields[name] = headers[name];
  return fields;
};

/** Gives the answer of the other process to the caller. */
class AnswerRelay implements Http1Handler {
  readonly #exchange: Omit<SmallPassing, 'pool'>;
  readonly #settle: (outcome: PassOutcome) => void;
  #controller: Http1Controller | undefined;
  #state: 'sent' | 'refused' | 'answering' | 'streaming' | 'over' = 'sent';
  #status = 0;
  #fields: OutgoingHttpHeaders = {};
  /** What came with the head: an answer that is whole is written in one go. */
  #first: Buffer | undefined;
  #boundary: EventBoundary | undefined;
  readonly #endWatch: () => void;

  constructor(exchange: Omit<SmallPassing, 'pool'>, settle: (outcome: PassOutcome) => void) {
    this.#exchange = exchange;
    this.#settle = settle;
    exchange.response.once('close', this.#abandon);
    this.#endWatch = exchange.pulse.watch(() => this.#controller?.abort(silent()));
  }

  onRequestStart(controller: Http1Controller): void {
    this.#controller = controller;
    if (this.#exchange.response.destroyed) controller.abort(abandoned());
  }

  onResponseStart(_controller: Http1Controller, status: number, head: ResponseHead): void {
    this.#exchange.pulse.heard();
    if (status === NOT_HERE) {
      this.#state = 'refused';
      return;
    }
    this.#state = 'answering';
    this.#status = status;
    this.#fields = fieldsOf(head.headers());
    // What was read for the other process is not needed any more.
    this.#exchange.request.resume();
    process.nextTick(() => this.#stream());
  }

  onResponseData(controller: Http1Controller, chunk: Buffer): void {
    if (this.#state === 'refused' || this.#state === 'over') return;
    // It may be lent, and the caller may take it later.
    const kept = Buffer.from(chunk);
    if (this.#state === 'streaming') this.#write(controller, kept);
    else this.#first = this.#first === undefined ? kept : Buffer.concat([this.#first, kept]);
  }

  onResponseEnd(): boolean {
    const { response } = this.#exchange;
    this.#over();
    const state = this.#state;
    this.#state = 'over';
    if (state === 'refused') {
      this.#giveBack('refused');
    } else if (state === 'answering') {
      if (this.#first !== undefined) this.#fields['content-length'] = this.#first.length;
      response.writeHead(this.#status, this.#fields).end(this.#first);
      this.#settle('passed');
    } else if (state === 'streaming') {
      response.end();
    }
    return true;
  }

  onResponseError(controller: Http1Controller | undefined, error: NodeJS.ErrnoException): void {
    const { response } = this.#exchange;
    this.#over();
    const isNotSent = controller === undefined && this.#state === 'sent' && !response.destroyed;
    this.#state = 'over';
    if (isNotSent) {
      this.#giveBack(error.code === 'ECONNREFUSED' ? 'gone' : 'unreachable');
      return;
    }
    tellAmbiguous(this.#exchange, {
      requests: requestIdsIn(this.#exchange.body),
      isBetweenEvents: this.#boundary?.isBetweenEvents === true,
    });
    this.#settle('passed');
  }

  readonly #abandon = (): void => this.#controller?.abort(abandoned());

  #over(): void {
    this.#endWatch();
    this.#exchange.onOver();
  }

  /** The caller goes on with this request. */
  #giveBack(outcome: PassOutcome): void {
    this.#exchange.response.off('close', this.#abandon);
    this.#settle(outcome);
  }

  /** More than one read: from now on it is passed on as it comes. */
  #stream(): void {
    if (this.#state !== 'answering') return;
    this.#state = 'streaming';
    this.#boundary = new EventBoundary(this.#fields['content-type']);
    const { response } = this.#exchange;
    response.writeHead(this.#status, this.#fields);
    response.flushHeaders();
    this.#settle('passed');
    if (this.#first !== undefined && this.#controller !== undefined) this.#write(this.#controller, this.#first);
    this.#first = undefined;
  }

  #write(controller: Http1Controller, chunk: Buffer): void {
    const { response } = this.#exchange;
    this.#boundary?.note(chunk);
    if (response.destroyed || response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  }
}

/**
 * Passes a POST with a small body on to a process of the same machine. The body is sent at once: the kernel tells when that
 * process ends, and its pulse whether it is stopped, so nobody waits for its consent. What was sent and not answered by then
 * is ambiguous, and is not sent to anybody else: a process that is woken later may execute it.
 */
export const passSmall = (passing: SmallPassing): Promise<PassOutcome> =>
  new Promise((resolve) => {
    const { pool, headers, body, request } = passing;
    if (!isOriginForm(request.url ?? '/')) {
      passing.onOver();
      resolve('refused');
      return;
    }
    pool.post({ head: headOf(request, headers), body }, new AnswerRelay(passing, resolve));
  });
