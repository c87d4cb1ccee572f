import { pause } from '../connection/deadline.js';
import { openHttpExchange, requestText, type HttpExchange } from '../connection/http-exchange.js';
import type { HttpRequest } from '../connection/http-request.js';
import { at, isObject, tryJson, type JsonObject } from '../connection/json.js';
import { Mailbox } from '../connection/mailbox.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import { errorOf, resultOf, type Answer, type Reply } from './answer.js';
import {
  answers,
  enveloped,
  initializeParams,
  isServerRequest,
  noticeMessage,
  requestMessage,
  type RequestMessage,
} from './envelope.js';
import type { Death } from './death.js';
import type { Exchange, HttpRecipe } from './exchange.js';
import { BASE_HEADERS, changedHeaders, mirroredHeaders } from './http-headers.js';
import type { Link } from './link.js';
import { OpenedSession } from './opened-session.js';
import { answerOrName } from './plain-request.js';
import { revisionOf } from './revision.js';
import { serverAnswer } from './server-answer.js';
import type { NoticeOutcome, RequestOptions, Session, SessionOptions } from './session.js';
import { httpSettings } from './sse-channel.js';
import { orTellCancelled, waitSignal } from './tell-cancelled.js';

/** A conversation over Streamable HTTP: every message is a POST. */
export class HttpSession extends OpenedSession implements Session {
  readonly transport = 'streamable-http';
  readonly #link: Link;
  readonly #incoming = new Mailbox<JsonObject>();
  readonly #streams = new Set<HttpExchange>();
  #nextId = 0;

  constructor(link: Link, options: SessionOptions) {
    super(options);
    this.#link = link;
  }

  /** Opens with the handshake of the era; the answer may well be an error, for a check to judge. */
  async open(): Promise<this> {
    if (this.options.unopened === true) return this;
    if (this.era === 'modern') {
      this.firstAnswer = await this.request('server/discover');
      return this;
    }
    this.firstAnswer = await this.request('initialize', initializeParams(this.options));
    if (this.firstAnswer.result !== undefined) this.firstNotice = await this.notify('notifications/initialized');
    return this;
  }

  get connection(): number {
    return this.firstAnswer?.exchange.connection ?? 0;
  }

  readonly death = undefined;

  readonly isLost = false;

  silence(): Death {
    const exchange = { sent: '', received: '', connection: this.connection, recipe: undefined };
    return { detail: 'Nothing answers any longer.', exchange };
  }

  get incoming(): readonly JsonObject[] {
    return this.#incoming.items;
  }

  get sessionId(): string | undefined {
    return this.era === 'legacy' ? this.firstAnswer?.http?.headers['mcp-session-id'] : undefined;
  }

  /** The headers that a message of this session carries by default. */
  headersFor(message: JsonObject): Readonly<Record<string, string>> {
    const { place } = this.#link;
    const own = place.transport === 'stdio' ? {} : place.headers;
    const base = { ...BASE_HEADERS, ...own };
    if (this.era === 'modern') return changedHeaders({ ...base, ...mirroredHeaders(message) }, this.options.headers);
    const id = this.sessionId;
    const opened = this.firstAnswer?.result !== undefined;
    const session = {
      ...(opened && this.revision !== '2024-11-05' ? { 'mcp-protocol-version': this.revision } : {}),
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    };
    return changedHeaders({ ...base, ...session }, this.options.headers);
  }

  async request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<Answer> {
    const isOpen = this.firstAnswer?.result !== undefined;
    const message = requestMessage(options.id ?? this.#newId(), method, enveloped(params, this.options, options));
    const asked = this.#request(method, message, options);
    const answer = options.signal === undefined ? asked : orTellCancelled(asked, message.id, this);
    return await answerOrName(answer, method, options, {
      isOpen,
      connection: this.connection,
      recipe: () => this.#recipe(this.#asked(JSON.stringify(message), message, options.headers)),
    });
  }

  async #request(method: string, message: RequestMessage, options: RequestOptions): Promise<Answer> {
    const { id } = message;
    const ms = options.timeoutMs ?? this.#link.budgets.requestMs;
    const started = performance.now();
    const signal = waitSignal(this.#link, options);
    const http = await this.#post(JSON.stringify(message), message, options.headers, { ms, signal });
    const before: JsonObject[] = [];
    try {
      const response = http.isStream
        ? await this.#fromStream(http, before, { id, ms, method, signal })
        : tryJson(await http.text());
      const answer = isObject(response) ? response : undefined;
      if (answer === undefined && http.isStream) {
        throw new NoAnswer(`The stream ended without an answer to ${method}.`, JSON.stringify(message), http.received);
      }
      const exchange = this.#exchange(this.#asked(JSON.stringify(message), message, options.headers), http);
      if (answer !== undefined) this.#observe(answer, message, { http, recipe: exchange.recipe });
      const elapsedMs = performance.now() - started;
      return {
        id,
        request: message,
        response: answer,
        result: resultOf(answer),
        error: errorOf(answer),
        before,
        http,
        elapsedMs,
        exchange,
      };
    } finally {
      http.close();
      this.#streams.delete(http);
    }
  }

  async notify(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<NoticeOutcome> {
    const message = noticeMessage(method, enveloped(params, this.options, options));
    const { http, exchange } = await this.#sent(JSON.stringify(message), message, options.headers);
    return { http, exchange };
  }

  async send(text: string, options: Pick<RequestOptions, 'headers'> = {}): Promise<Reply> {
    const parsed = tryJson(text);
    return await this.#sent(text, isObject(parsed) ? parsed : {}, options.headers);
  }

  async waitFor(
    pick: (message: JsonObject) => boolean,
    ms = this.#link.budgets.requestMs,
  ): Promise<JsonObject | undefined> {
    const deadline = { ms, what: 'message of the server', signal: this.#link.signal };
    return await this.#incoming.until((item) => (pick(item) ? item : undefined), 0, deadline).catch(() => undefined);
  }

  async settle(): Promise<void> {
    await this.request(this.era === 'legacy' ? 'ping' : 'server/discover').catch(() => undefined);
    await pause(this.#link.budgets.quietMs, this.#link.signal);
  }

  /** Opens the stream for messages that belong to no request. */
  async openStream(headers: Readonly<Record<string, string | null>> = {}): Promise<HttpExchange> {
    const asked = changedHeaders(this.headersFor({}), { accept: 'text/event-stream', 'content-type': null }, headers);
    const http = await openHttpExchange({ method: 'GET', url: this.#url(), headers: asked }, httpSettings(this.#link));
    this.#streams.add(http);
    http.events.subscribe((event) => this.#take(tryJson(event.data)));
    return http;
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    this.#incoming.end('the session was closed');
    if (this.sessionId === undefined) return;
    const headers = changedHeaders(this.headersFor({}), { 'content-type': null });
    await openHttpExchange({ method: 'DELETE', url: this.#url(), headers }, httpSettings(this.#link, 2_000)).then(
      (http) => http.close(),
      () => undefined,
    );
  }

  #url(): string {
    const { place } = this.#link;
    if (place.transport === 'stdio') throw new Unreachable('The target is not a URL.');
    return place.url;
  }

  #asked(text: string, message: JsonObject, headers: RequestOptions['headers']): HttpRequest {
    return { method: 'POST', url: this.#url(), headers: changedHeaders(this.headersFor(message), headers), body: text };
  }

  async #post(
    text: string,
    message: JsonObject,
    headers: RequestOptions['headers'],
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<HttpExchange> {
    const asked = this.#asked(text, message, headers);
    try {
      const http = await openHttpExchange(asked, { ...httpSettings(this.#link, ms), signal });
      this.#streams.add(http);
      return http;
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(error.message, requestText(asked));
      throw error;
    }
  }

  async #sent(text: string, message: JsonObject, headers: RequestOptions['headers']): Promise<Reply> {
    const { budgets, signal } = this.#link;
    const http = await this.#post(text, message, headers, { ms: budgets.requestMs, signal });
    try {
      const body = await http.whole();
      const parsed = http.isStream ? http.events.items.map((event) => tryJson(event.data)) : [tryJson(body)].flat();
      const exchange = this.#exchange(this.#asked(text, message, headers), http);
      return {
        messages: parsed.filter(isObject),
        http: { status: http.status, headers: http.headers, body },
        exchange,
      };
    } finally {
      http.close();
      this.#streams.delete(http);
    }
  }

  async #fromStream(
    http: HttpExchange,
    before: JsonObject[],
    {
      id,
      ms,
      method,
      signal,
    }: {
      readonly id: string | number;
      readonly ms: number;
      readonly method: string;
      readonly signal: AbortSignal;
    },
  ): Promise<JsonObject | undefined> {
    return await http.events.until(
      (event) => {
        const message = tryJson(event.data);
        if (!isObject(message)) return undefined;
        if (answers(message, id)) return message;
        before.push(message);
        this.#serve(message);
        return undefined;
      },
      0,
      { ms, what: `answer to ${method} on its stream`, signal },
    );
  }

  #take(message: unknown): void {
    if (!isObject(message)) return;
    this.#incoming.put(message);
    this.#serve(message);
  }

  #serve(message: JsonObject): void {
    const { revision } = this;
    this.#link.observations.record({
      message,
      revision,
      answers: undefined,
      sent: undefined,
      connection: this.connection,
    });
    if (!isServerRequest(message)) return;
    const reply = serverAnswer(message, this.options.onRequest);
    if (reply !== undefined) void this.#sent(JSON.stringify(reply), reply, undefined).catch(() => undefined);
  }

  #observe(
    message: JsonObject,
    sent: JsonObject,
    { http, recipe }: { readonly http: HttpExchange; readonly recipe: Exchange['recipe'] },
  ): void {
    const method = String(sent['method']);
    const agreed = at(message, 'result', 'protocolVersion');
    const revision = revisionOf(sent, agreed, this.revision);
    this.#link.observations.record({ message, revision, answers: method, sent, connection: http.connection, recipe });
  }

  #recipe({ method, url, headers, body }: HttpRequest): HttpRecipe {
    const opening =
      this.era === 'legacy' && this.firstAnswer !== undefined ? JSON.stringify(this.firstAnswer.request) : undefined;
    return { kind: 'http', method, url, headers, body: typeof body === 'string' ? body : undefined, opening };
  }

  #exchange(asked: HttpRequest, http: HttpExchange): Exchange {
    return {
      sent: requestText(asked),
      received: `HTTP ${http.status} ${http.headers['content-type'] ?? ''}\n${http.received}`.slice(0, 8_192),
      connection: http.connection,
      recipe: this.#recipe(asked),
    };
  }

  #newId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }
}
