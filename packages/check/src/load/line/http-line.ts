import type { CheckEra } from '@plugboard/contract';
import { isObject, tryJson, type JsonObject } from '../../connection/json.js';
import type { SseEvent } from '../../connection/sse-parser.js';
import type { Link } from '../../session/link.js';
import { BASE_HEADERS, mirroredHeaders } from '../../session/http-headers.js';
import { enveloped, requestMessage } from '../../session/envelope.js';
import { agreedRevision, INITIALIZED, openingOf } from './handshake.js';
import { STREAM_MS, type HeldStream } from './held-stream.js';
import { HttpHeads } from './http-head.js';
import { HttpPipe, type HttpAsk, type HttpOutcome } from './http-pipe.js';
import type { Arrival, LoadLine, OnStray, Sent } from './load-line.js';
import { resumedRequest, type Resumption } from './resumed-request.js';
import { replyTo } from './reply.js';
import type { StreamWatch } from './stream-watch.js';

const NOTHING: Sent['headers'] = {};
const CLOSE_MS = 2_000;

const failed = (error: string): Arrival => ({ kind: 'failure', at: performance.now(), error });

const isAnswer = (message: JsonObject): boolean => !('method' in message);

/** A caller over Streamable HTTP: a session and a connection of its own. */
export class HttpLine implements LoadLine {
  readonly era: CheckEra;
  readonly transport = 'streamable-http';
  readonly pid = undefined;
  readonly #newPipe: () => HttpPipe;
  /** Connections that carry no request now; a second request at the same time gets another one. */
  readonly #idle: HttpPipe[] = [];
  readonly #all = new Set<HttpPipe>();
  readonly #onStray: OnStray;
  #heads: HttpHeads;
  #sessionId: string | undefined;
  #revision = '';

  constructor(link: Link, url: string, era: CheckEra, onStray: OnStray) {
    this.era = era;
    this.#onStray = onStray;
    this.#newPipe = () => new HttpPipe(url, link.network);
    const own = link.place.transport === 'stdio' ? {} : link.place.headers;
    this.#heads = new HttpHeads(url, { ...BASE_HEADERS, ...own });
  }

  get revision(): string {
    return this.#revision;
  }

  async open(deadlineMs: number): Promise<this> {
    const first = openingOf(this.era, NOTHING);
    const headers = this.era === 'modern' ? mirroredHeaders(JSON.parse(first.text) as JsonObject) : {};
    const opening = await this.request({ ...first, headers }, deadlineMs);
    this.#revision = agreedRevision(this.era, opening);
    if (this.era === 'modern') return this;
    this.#heads = this.#heads.with({
      ...(this.#revision === '2024-11-05' ? {} : { 'mcp-protocol-version': this.#revision }),
      ...(this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId }),
    });
    await this.#exchange({ head: this.#heads.post(NOTHING), body: INITIALIZED, deadlineMs });
    return this;
  }

  async request({ id, text, headers }: Sent, deadlineMs: number): Promise<Arrival> {
    let answer: Arrival | undefined;
    let firstAt: number | undefined;
    let surplus = 0;
    const notices: JsonObject[] = [];
    const outcome = await this.#exchange({
      head: this.#heads.post(headers),
      body: text,
      deadlineMs,
      onEvent: ({ data }) => {
        const at = performance.now();
        const message = tryJson(data);
        if (!isObject(message)) return answer !== undefined;
        firstAt ??= at;
        if (!isAnswer(message)) {
          notices.push(message);
          this.#reply(message);
        } else if (answer === undefined) {
          answer = { kind: 'answer', at, firstAt, message, text: data, notices, surplus: 0 };
        } else {
          surplus += 1;
        }
        return answer !== undefined;
      },
    });
    const arrival = answer ?? this.#plain(outcome, notices);
    if (outcome.hadSurplus === true) surplus += 1;
    if (id === 0) this.#sessionId = outcome.head?.sessionId;
    return arrival.kind === 'answer' && surplus > 0 ? { ...arrival, surplus } : arrival;
  }

  /** In the legacy era a GET, in the modern one a subscription. */
  listen(watch: StreamWatch): HeldStream {
    const pipe = this.#newPipe();
    this.#all.add(pipe);
    const { head, body } = this.#listening(watch.lastEventId);
    const follow = async (): Promise<void> => {
      const onEvent = (event: SseEvent): boolean => {
        const message = tryJson(event.data);
        if (isObject(message)) this.#reply(message);
        return watch.hooks.onEvent(event);
      };
      await pipe.exchange({ head, body, deadlineMs: STREAM_MS, ...watch.hooks, onEvent });
      watch.end();
      this.#all.delete(pipe);
    };
    return { ended: follow(), close: () => pipe.close() };
  }

  async resume({ text, headers }: Sent, deadlineMs: number, signal: AbortSignal): Promise<Resumption> {
    if (this.era === 'modern') return { kind: 'not-tried', why: 'The modern era has no resumption.' };
    return await resumedRequest({
      newPipe: this.#newPipe,
      post: this.#heads.post(headers),
      get: (lastEventId) => this.#listening(lastEventId).head,
      body: text,
      deadlineMs,
      signal,
    });
  }

  async close(): Promise<void> {
    if (this.#sessionId !== undefined) {
      await this.delete();
    }
    this.drop();
  }

  get hasSession(): boolean {
    return this.#sessionId !== undefined;
  }

  /** Ends the session, and resolves with the status; 0 when nothing answers. */
  async delete(): Promise<number> {
    const { head } = await this.#exchange({ head: this.#heads.delete(), body: '', deadlineMs: CLOSE_MS });
    return head?.status ?? 0;
  }

  /** Closes the connections and leaves the session to the server. */
  drop(): void {
    for (const pipe of this.#all) pipe.close();
  }

  #listening(lastEventId: string | undefined): Pick<HttpAsk, 'head' | 'body'> {
    if (this.era === 'legacy') {
      const after = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      return { head: this.#heads.get({ accept: 'text/event-stream', ...after }), body: '' };
    }
    const session = { era: this.era, revision: this.#revision };
    const params = enveloped({ notifications: { toolsListChanged: true } }, session, {});
    const message = requestMessage('listening', 'subscriptions/listen', params);
    return { head: this.#heads.post(mirroredHeaders(message)), body: JSON.stringify(message) };
  }

  async #exchange(ask: HttpAsk): Promise<HttpOutcome & { readonly hadSurplus?: boolean }> {
    const pipe = this.#idle.pop() ?? this.#newPipe();
    this.#all.add(pipe);
    const outcome = await pipe.exchange(ask);
    this.#idle.push(pipe);
    return pipe.takeSurplus() ? { ...outcome, hadSurplus: true } : outcome;
  }

  /** Replies to a request of the server; a notification needs none. */
  #reply(message: JsonObject): void {
    const body = replyTo(message);
    if (body !== undefined) void this.#exchange({ head: this.#heads.post(NOTHING), body, deadlineMs: CLOSE_MS });
  }

  #plain({ head, text, firstAt, failure }: HttpOutcome, notices: readonly JsonObject[]): Arrival {
    if (failure !== undefined) return failed(failure);
    if (head === undefined) return failed('no answer');
    for (const notice of notices) this.#onStray(notice);
    if (head.isStream) return failed('stream without an answer');
    const message = tryJson(text);
    // A server that rejects a request before it reads it does not know the id.
    const isRejection = head.status >= 400 && isObject(message) && message['id'] === null;
    if (isObject(message) && ('result' in message || 'error' in message) && !isRejection) {
      return { kind: 'answer', at: performance.now(), firstAt, message, text, notices: [], surplus: 0 };
    }
    return failed(head.status >= 400 ? `HTTP ${head.status}` : 'no JSON-RPC answer');
  }
}
