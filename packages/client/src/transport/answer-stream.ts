import { deferred, pause } from '@plugboard/base';
import { type JsonRpcResponse, type RequestId, type SseEvent } from '@plugboard/wire';
import { abortedError } from '../error/aborted-error.js';
import { McpConnectionError } from '../error/error-family.js';
import { answersRequest } from './answers-request.js';
import { messagesFrom } from './incoming-messages.js';
import { discard, fieldOf, type HttpAnswer } from './http-channel.js';
import { readEvents } from './read-events.js';
import type { Exchange } from './transport.js';

export interface AnswerStreamOptions {
  readonly id: RequestId;
  readonly host: string;
  readonly exchange: Exchange;
  /** The stream has an answer to somebody else. */
  readonly onForeign?: (() => void) | undefined;
  /** Asks for the rest of a stream that broke; legacy servers may offer that. */
  readonly resume?: ((lastEventId: string) => Promise<HttpAnswer>) | undefined;
}

const MAX_RESUMES = 2;
const DEFAULT_RETRY_MS = 1_000;
/** A server ends the stream right after the answer; when it does not, the connection is not worth waiting for. */
const LINGER_MS = 500;

/** The event stream that answers one request. When it ends without the answer, that is known at once. */
export class AnswerStream {
  readonly #options: AnswerStreamOptions;
  readonly #answer = deferred<JsonRpcResponse>();
  #answered = false;
  #lastEventId: string | undefined;
  #retryMs = DEFAULT_RETRY_MS;
  #progress = 0;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
  }

  async read(first: HttpAnswer): Promise<JsonRpcResponse> {
    let current = first;
    const follow = async (): Promise<void> => {
      let resumes = 0;
      let seen = this.#progress;
      for (;;) {
        const cut = await this.#readOne(current);
        if (this.#answered) return;
        resumes = this.#progress > seen ? 1 : resumes + 1;
        seen = this.#progress;
        current = await this.#reopen(cut, resumes);
      }
    };
    follow().catch((thrown: unknown) => this.#answer.reject(thrown));
    const response = await this.#answer.promise;
    const linger = setTimeout(() => current.body.destroy(), LINGER_MS);
    current.body.once('close', () => clearTimeout(linger));
    if (current.body.closed) clearTimeout(linger);
    return response;
  }

  /** Reads one stream; returns what broke it, or undefined when it ended normally. */
  async #readOne(answer: HttpAnswer): Promise<unknown> {
    const { exchange, host } = this.#options;
    try {
      await readEvents(answer, {
        signal: exchange.signal,
        host,
        onActivity: exchange.onActivity,
        pace: exchange.pace,
        onRetry: (ms) => {
          this.#retryMs = ms;
        },
        onEvent: (event) => this.#receive(event),
      });
      return undefined;
    } catch (thrown) {
      if (exchange.signal.aborted || !(thrown instanceof McpConnectionError)) throw thrown;
      return thrown;
    }
  }

  async #reopen(cut: unknown, resumes: number): Promise<HttpAnswer> {
    const { exchange, host, resume } = this.#options;
    const broken = new McpConnectionError('UPSTREAM_CLOSED', `${host} ended its stream before the answer.`, {
      hint: 'The server may have crashed or been restarted while it worked.',
      delivery: 'ambiguous',
      cause: cut,
    });
    if (resume === undefined || this.#lastEventId === undefined || resumes > MAX_RESUMES) throw broken;
    if (!(await pause(this.#retryMs, exchange.signal))) throw abortedError(exchange.signal, 'ambiguous');
    const answer = await resume(this.#lastEventId);
    if (answer.status === 200 && fieldOf(answer.headers, 'content-type')?.includes('text/event-stream') === true) {
      return answer;
    }
    await discard(answer);
    throw broken;
  }

  #receive(event: SseEvent): void {
    this.#progress += 1;
    if (event.id !== undefined && event.id !== '') this.#lastEventId = event.id;
    if (this.#answered || (event.event !== undefined && event.event !== 'message') || event.data === '') return;
    for (const classified of messagesFrom(this.#options.host, event.data)) {
      switch (classified.kind) {
        case 'request':
        case 'notification':
          this.#options.exchange.onIncoming(classified);
          break;
        case 'result':
        case 'failure':
          if (answersRequest(classified.message, this.#options.id)) {
            this.#answered = true;
            this.#answer.resolve(classified.message);
          } else {
            this.#options.onForeign?.();
          }
          break;
        case 'invalid':
          break;
      }
    }
  }
}
