import { isObject, tryJson } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { BASE_HEADERS } from '../../session/http-headers.js';
import type { Link } from '../../session/link.js';
import { agreedRevision, INITIALIZED, openingOf } from './handshake.js';
import { STREAM_MS, type HeldStream } from './held-stream.js';
import { HttpHeads } from './http-head.js';
import { HttpPipe, type HttpOutcome } from './http-pipe.js';
import type { Arrival, LoadLine, OnStray, Sent } from './load-line.js';
import { OpenMessages } from './open-messages.js';
import type { StreamWatch } from './stream-watch.js';

const REPLY_MS = 2_000;

/** A caller over HTTP+SSE: a stream for answers, kept connections for requests. */
export class SseLine implements LoadLine {
  readonly era = 'legacy';
  readonly transport = 'sse';
  readonly pid = undefined;
  readonly #link: Link;
  readonly #url: string;
  readonly #stream: HttpPipe;
  readonly #open: OpenMessages;
  /** Connections that carry no request now; a request that hangs must not hold up the next one. */
  readonly #idle: HttpPipe[] = [];
  readonly #posts = new Set<HttpPipe>();
  #endpoint: string | undefined;
  /** Told of what comes on the stream of the conversation. */
  #watch: StreamWatch | undefined;
  #ended: Promise<void> = Promise.resolve();
  #heads: HttpHeads;
  #revision = '';

  constructor(link: Link, url: string, onStray: OnStray) {
    this.#link = link;
    this.#url = url;
    this.#stream = new HttpPipe(url, link.network);
    this.#open = new OpenMessages({ onStray, reply: (text) => void this.#post(text, {}, REPLY_MS) });
    const own = link.place.transport === 'stdio' ? {} : link.place.headers;
    this.#heads = new HttpHeads(url, { ...BASE_HEADERS, ...own });
  }

  get revision(): string {
    return this.#revision;
  }

  async open(deadlineMs: number): Promise<this> {
    const endpoint = await this.#listen(deadlineMs);
    this.#endpoint = endpoint;
    this.#heads = this.#heads.with({}, endpoint);
    const opening = await this.request(openingOf('legacy', {}), deadlineMs);
    this.#revision = agreedRevision('legacy', opening);
    await this.#post(INITIALIZED, {}, deadlineMs);
    return this;
  }

  async request(sent: Sent, deadlineMs: number): Promise<Arrival> {
    const { id, text, headers } = sent;
    const arrival = this.#open.wait(sent, deadlineMs);
    const { failure, head } = await this.#post(text, headers, deadlineMs);
    if (failure !== undefined) this.#open.fail(id, failure);
    else if ((head?.status ?? 0) >= 400) this.#open.fail(id, `HTTP ${head?.status}`);
    return await arrival;
  }

  /** The stream of the conversation is the one that is held. */
  listen(watch: StreamWatch): HeldStream {
    this.#watch = watch;
    watch.hooks.onHead({ status: 200, isStream: true, closes: false, sessionId: undefined });
    return { ended: this.#ended, close: () => this.#stream.close() };
  }

  async close(): Promise<void> {
    this.#stream.close();
    for (const pipe of this.#posts) pipe.close();
    this.#open.failAll('closed');
  }

  async #post(body: string, headers: Sent['headers'], deadlineMs: number): Promise<HttpOutcome> {
    const pipe = this.#idle.pop() ?? new HttpPipe(this.#endpoint ?? this.#url, this.#link.network);
    this.#posts.add(pipe);
    const outcome = await pipe.exchange({ head: this.#heads.post(headers), body, deadlineMs });
    this.#idle.push(pipe);
    return outcome;
  }

  /** Opens the stream, and resolves with the address that it names. */
  #listen(deadlineMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new NoAnswer(`No endpoint event within ${deadlineMs} ms.`)), deadlineMs);
      const ended = this.#stream.exchange({
        head: this.#heads.get({ accept: 'text/event-stream' }),
        body: '',
        deadlineMs: STREAM_MS,
        onChunk: () => this.#watch?.hooks.onChunk(),
        onEvent: (received) => {
          const { event, data } = received;
          this.#watch?.hooks.onEvent(received);
          if (event === 'endpoint') {
            clearTimeout(late);
            const endpoint = new URL(data, this.#url);
            // The secrets of the target are for its own address only.
            if (endpoint.origin === new URL(this.#url).origin) resolve(endpoint.href);
            else reject(new NoAnswer('The endpoint event names another origin.'));
          } else if (isObject(tryJson(data))) {
            this.#open.take(data);
          }
          return false;
        },
      });
      const finish = async (): Promise<void> => {
        const { failure } = await ended;
        this.#watch?.end();
        clearTimeout(late);
        this.#open.failAll(failure ?? 'stream ended');
        reject(new NoAnswer(`The stream ended: ${failure ?? 'closed'}.`));
      };
      this.#ended = finish();
    });
  }
}
