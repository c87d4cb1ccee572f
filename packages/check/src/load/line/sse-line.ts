import { isObject, tryJson } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { BASE_HEADERS } from '../../session/http-headers.js';
import type { Link } from '../../session/link.js';
import { agreedRevision, INITIALIZED, openingOf } from './handshake.js';
import { STREAM_MS, type HeldStream } from './held-stream.js';
import { HttpHeads } from './http-head.js';
import { HttpPipe } from './http-pipe.js';
import type { Arrival, LoadLine, OnStray, Sent } from './load-line.js';
import { OpenMessages } from './open-messages.js';
import type { StreamWatch } from './stream-watch.js';

const REPLY_MS = 2_000;

/** A caller over HTTP+SSE: a stream for answers, a kept connection for requests. */
export class SseLine implements LoadLine {
  readonly era = 'legacy';
  readonly transport = 'sse';
  readonly pid = undefined;
  readonly #link: Link;
  readonly #url: string;
  readonly #stream: HttpPipe;
  readonly #open: OpenMessages;
  #posts: HttpPipe | undefined;
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
    this.#open = new OpenMessages({ onStray, reply: (text) => void this.#reply(text) });
    const own = link.place.transport === 'stdio' ? {} : link.place.headers;
    this.#heads = new HttpHeads(url, { ...BASE_HEADERS, ...own });
  }

  get revision(): string {
    return this.#revision;
  }

  async open(deadlineMs: number): Promise<this> {
    const endpoint = await this.#listen(deadlineMs);
    this.#endpoint = endpoint;
    this.#posts = new HttpPipe(endpoint, this.#link.network);
    this.#heads = this.#heads.with({}, endpoint);
    const opening = await this.request(openingOf('legacy', {}), deadlineMs);
    this.#revision = agreedRevision('legacy', opening);
    await this.#posts.exchange({ head: this.#heads.post({}), body: INITIALIZED, deadlineMs });
    return this;
  }

  async request(sent: Sent, deadlineMs: number): Promise<Arrival> {
    const { id, text, headers } = sent;
    const posts = this.#posts;
    if (posts === undefined) return { kind: 'failure', at: performance.now(), error: 'not open' };
    const arrival = this.#open.wait(sent, deadlineMs);
    const { failure, head } = await posts.exchange({ head: this.#heads.post(headers), body: text, deadlineMs });
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
    this.#posts?.close();
    this.#open.failAll('closed');
  }

  /** On a connection of its own: the other one may be carrying a request. */
  async #reply(body: string): Promise<void> {
    if (this.#endpoint === undefined) return;
    const pipe = new HttpPipe(this.#endpoint, this.#link.network);
    await pipe.exchange({ head: this.#heads.post({}), body, deadlineMs: REPLY_MS });
    pipe.close();
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
