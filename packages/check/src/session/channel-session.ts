import type { CheckTransport } from '@plugboard/contract';
import { pause } from '../connection/deadline.js';
import { at, isObject, messagesIn, tryJson, type JsonObject, type MessageId } from '../connection/json.js';
import type { LineConnection } from '../connection/line-connection.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import { errorOf, resultOf, type Answer, type Reply } from './answer.js';
import type { Channel } from './channel.js';
import {
  answers,
  enveloped,
  initializeParams,
  isResponse,
  isServerRequest,
  noticeMessage,
  requestMessage,
  type RequestMessage,
} from './envelope.js';
import { Gone, type Death } from './death.js';
import type { Exchange } from './exchange.js';
import { firstAnswer } from './first-answer.js';
import type { Link } from './link.js';
import { OpenedSession } from './opened-session.js';
import { answerOrName } from './plain-request.js';
import { revisionOf } from './revision.js';
import { serverAnswer } from './server-answer.js';
import type { NoticeOutcome, RequestOptions, Session, SessionOptions } from './session.js';
import { orTellCancelled, waitSignal } from './tell-cancelled.js';

const LINE_FEED = 0x0a;

/** How much of what a process got last is shown when it ended. */
const MAX_SHOWN = 3;

/** What leaves a conversation as it was. */
const HARMLESS =
  /^(?:ping|server\/discover|tools\/(?:list|call)|resources\/(?:list|read|templates\/list)|prompts\/(?:list|get)|completion\/complete)$/u;

/** The ids of the requests in a text, which may be a batch or no JSON at all. */
const idsIn = (text: string): ReadonlySet<string> => new Set(messagesIn(text).map((message) => String(message['id'])));

interface Sent {
  readonly text: string;
  /** Bytes as they are, perhaps less than a line; the next ones belong to it. */
  readonly isPiece: boolean;
}

/** How a conversation was opened, for the next one on the same process. */
export interface Opened {
  readonly opening: Answer;
  readonly initialized: NoticeOutcome | undefined;
  /** No id is used twice in one conversation. */
  readonly lastId: number;
}

/** A conversation over stdio or HTTP+SSE. */
export class ChannelSession extends OpenedSession implements Session {
  readonly transport: CheckTransport;
  readonly sessionId = undefined;
  readonly #link: Link;
  readonly #channel: Channel;
  readonly #preamble: string[] = [];
  readonly #asked = new Set<string>();
  /** The requests that have no answer yet, by their id. */
  readonly #open = new Map<string, string>();
  /** Everything that may have ended the process: sent after the last request that it answered, or still open. */
  #suspects: Sent[] = [];
  /** The last bytes that were written did not end a line. */
  #isMidLine = false;
  /** Answers to the server that wait for the end of that line, which they would break. */
  #held: string[] = [];
  #closed = false;
  #isChanged = false;
  #nextId = 0;

  constructor(link: Link, channel: Channel, options: SessionOptions) {
    super(options);
    this.transport = channel.transport;
    this.#link = link;
    this.#channel = channel;
    channel.inbox.subscribe((message) => this.#take(message));
  }

  /** Opens with the handshake of the era; the answer may well be an error, for a check to judge. */
  async open(): Promise<this> {
    if (this.options.unopened === true) return this;
    const timeoutMs = Math.max(this.#link.budgets.startMs, this.#link.budgets.requestMs);
    if (this.era === 'modern') {
      this.firstAnswer = await this.request('server/discover', undefined, { timeoutMs });
      return this;
    }
    this.firstAnswer = await this.request('initialize', initializeParams(this.options), { timeoutMs });
    this.#preamble.push(JSON.stringify(this.firstAnswer.request));
    if (this.firstAnswer.result !== undefined) {
      this.firstNotice = await this.notify('notifications/initialized');
      this.#preamble.push(this.firstNotice.exchange.sent);
    }
    return this;
  }

  /** Goes on with a conversation that an earlier session opened in the same way. */
  resume({ opening, initialized, lastId }: Opened): this {
    this.#nextId = lastId;
    this.firstAnswer = opening;
    this.firstNotice = initialized;
    this.#preamble.push(JSON.stringify(opening.request));
    if (initialized !== undefined) this.#preamble.push(initialized.exchange.sent);
    return this;
  }

  /** How it was opened, when another session may go on where this one ends; undefined when something is open or changed. */
  get resumable(): Opened | undefined {
    const opening = this.firstAnswer;
    const isQuiet = this.#open.size === 0 && this.#channel.inbox.ended === undefined && !this.#isChanged;
    if (!isQuiet || opening?.result === undefined) return undefined;
    return { opening, initialized: this.firstNotice, lastId: this.#nextId };
  }

  get connection(): number {
    return this.#channel.connection;
  }

  get lines(): LineConnection | undefined {
    return this.#channel.lines;
  }

  get death(): Death | undefined {
    const detail = this.#channel.death;
    return detail === undefined ? undefined : this.#unanswered(detail, { ends: true });
  }

  get isLost(): boolean {
    return !this.#closed && this.#channel.inbox.ended !== undefined;
  }

  silence(): Death {
    return this.#unanswered('The process is running, but no longer answers.', { ends: false });
  }

  get incoming(): readonly JsonObject[] {
    return this.#channel.inbox.items.filter((message) => !this.#isAnswer(message));
  }

  async request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<Answer> {
    const isOpen = this.firstAnswer?.result !== undefined;
    const message = requestMessage(options.id ?? this.#newId(), method, enveloped(params, this.options, options));
    const asked = this.#request(method, message, options);
    const answer = options.signal === undefined ? asked : orTellCancelled(asked, message.id, this);
    return await answerOrName(answer, method, options, {
      isOpen,
      connection: this.connection,
      recipe: () => this.#channel.recipe([...this.#preamble, JSON.stringify(message)]),
    });
  }

  async #request(method: string, message: RequestMessage, options: RequestOptions): Promise<Answer> {
    const { id } = message;
    const text = JSON.stringify(message);
    const isHarmless = HARMLESS.test(method) && at(message, 'params', 'task') === undefined;
    this.#isChanged ||= this.firstAnswer !== undefined && !isHarmless;
    this.#asked.add(String(id));
    this.#open.set(String(id), text);
    this.#suspects.push({ text, isPiece: false });
    const from = this.#channel.inbox.items.length;
    const started = performance.now();
    const http = await this.#channel.post(text, options.headers).catch((error: unknown) => {
      // It was never sent.
      this.#open.delete(String(id));
      this.#suspects = this.#suspects.filter((sent) => sent.text !== text);
      throw error;
    });
    const ms = options.timeoutMs ?? this.#link.budgets.requestMs;
    const signal = waitSignal(this.#link, options);
    const refusal = http !== undefined && http.status >= 400 ? tryJson(http.body) : undefined;
    const refused = http !== undefined && http.status >= 400;
    const response = refused ? refusal : await this.#response(id, { from, ms, text, signal });
    const exchange = this.#exchange(text, from);
    const { notStarted } = this.#channel;
    if (notStarted !== undefined) throw new Unreachable(`The program cannot be started: ${notStarted}.`);
    const { death } = this;
    if (!refused && response === undefined && death !== undefined) {
      this.#link.onDeath?.(death);
      throw new Gone(death);
    }
    this.#open.delete(String(id));
    if (response !== undefined) this.#survived(text);
    if (!refused && response === undefined) {
      throw new NoAnswer(`No answer to ${method}: ${this.#channel.inbox.ended ?? 'unknown'}.`, text, exchange.received);
    }
    const came = this.#channel.inbox.items;
    const until = isObject(response) && came.includes(response) ? came.indexOf(response) : came.length;
    const before = came.slice(from, until).filter((item) => !this.#isAnswer(item));
    const elapsedMs = performance.now() - started;
    const answer = isObject(response) ? response : undefined;
    if (answer !== undefined) this.#observe(answer, message);
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
  }

  async notify(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<NoticeOutcome> {
    const text = JSON.stringify(noticeMessage(method, enveloped(params, this.options, options)));
    this.#suspects.push({ text, isPiece: false });
    this.#isChanged ||= method !== 'notifications/initialized' || this.firstNotice !== undefined;
    const from = this.#channel.inbox.items.length;
    const http = await this.#channel.post(text, options.headers);
    return { http, exchange: this.#exchange(text, from) };
  }

  async send(text: string, options: Pick<RequestOptions, 'headers'> = {}): Promise<Reply> {
    this.#suspects.push({ text, isPiece: false });
    const from = this.#channel.inbox.items.length;
    const http = await this.#channel.post(text, options.headers);
    await this.settle();
    const messages = this.#channel.inbox.items.slice(from).filter((message) => !this.#isAnswer(message));
    return { messages, http, exchange: this.#exchange(text, from) };
  }

  /** Writes bytes to a process: pieces of messages, or several at once. */
  write(data: string | Uint8Array): void {
    const last = this.#suspects.at(-1);
    const before = last?.isPiece === true ? (this.#suspects.pop()?.text ?? '') : '';
    this.#suspects.push({ text: `${before}${Buffer.from(data).toString('utf8')}`, isPiece: true });
    this.#channel.write?.(data);
    this.#isMidLine = Buffer.from(data).at(-1) !== LINE_FEED;
    if (this.#isMidLine) return;
    const held = this.#held;
    this.#held = [];
    for (const reply of held) this.#reply(reply);
  }

  async waitFor(
    pick: (message: JsonObject) => boolean,
    ms = this.#link.budgets.requestMs,
  ): Promise<JsonObject | undefined> {
    const wanted = (message: JsonObject): JsonObject | undefined =>
      !this.#isAnswer(message) && pick(message) ? message : undefined;
    const deadline = { ms, what: 'message of the server', signal: this.#link.signal };
    return await this.#channel.inbox.until(wanted, 0, deadline).catch(() => undefined);
  }

  /** A request of our own comes back after what was sent before it; a short silence follows. */
  async settle(): Promise<void> {
    const fence = this.era === 'legacy' ? 'ping' : 'server/discover';
    await this.request(fence).catch(() => undefined);
    await pause(this.#link.budgets.quietMs, this.#link.signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#channel.close();
  }

  async #response(
    id: MessageId,
    {
      from,
      ms,
      text,
      signal,
    }: { readonly from: number; readonly ms: number; readonly text: string; readonly signal: AbortSignal },
  ): Promise<JsonObject | undefined> {
    const { inbox, transport } = this.#channel;
    const pick = (message: JsonObject): JsonObject | undefined => (answers(message, id) ? message : undefined);
    const deadline = { ms, what: `answer to ${String(at(JSON.parse(text), 'method'))}`, signal };
    const isStarting = transport === 'stdio' && this.firstAnswer === undefined && inbox.items.length === 0;
    try {
      return isStarting
        ? await firstAnswer(this.#link, inbox, pick, deadline)
        : await inbox.until(pick, from, deadline);
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(error.message, text, this.#exchange(text, from).received);
      throw error;
    }
  }

  #take(message: JsonObject): void {
    if (!isResponse(message)) this.#observe(message, undefined);
    if (!isServerRequest(message)) return;
    const reply = serverAnswer(message, this.options.onRequest);
    if (reply !== undefined) this.#reply(JSON.stringify(reply));
  }

  #reply(text: string): void {
    if (this.#isMidLine) this.#held.push(text);
    else void this.#channel.post(text).catch(() => undefined);
  }

  #isAnswer(message: JsonObject): boolean {
    return isResponse(message) && this.#asked.has(String(message['id']));
  }

  #observe(message: JsonObject, sent: JsonObject | undefined): void {
    const agreed = at(message, 'result', 'protocolVersion');
    const method = sent === undefined ? undefined : String(sent['method']);
    const revision = revisionOf(sent, agreed, this.revision);
    const recipe = sent === undefined ? undefined : this.#channel.recipe([...this.#preamble, JSON.stringify(sent)]);
    this.#link.observations.record({ message, revision, answers: method, sent, connection: this.connection, recipe });
  }

  /** Evidence: this line on a process of its own, and everything that came here. */
  exchangeOf(sent: string): Exchange {
    return { ...this.#exchange(sent, 0), received: this.#channel.textSince(0) };
  }

  /** What was sent and what came of it. Checks share a conversation: the answers to their other requests are left out. */
  #exchange(sent: string, from: number): Exchange {
    const own = idsIn(sent);
    const isForeign = (message: JsonObject): boolean => this.#isAnswer(message) && !own.has(String(message['id']));
    const received = this.#channel.textSince(from, isForeign);
    const recipe = this.#channel.recipe([...this.#preamble, sent]);
    return { sent, received, connection: this.connection, recipe };
  }

  /** It read this, and with it all that was sent before; only requests that are still open may yet end it. */
  #survived(text: string): void {
    const open = new Set(this.#open.values());
    const read = this.#suspects.findIndex((sent) => sent.text === text);
    this.#suspects = this.#suspects.filter((sent, position) => position > read || open.has(sent.text));
  }

  #unanswered(detail: string, { ends }: { readonly ends: boolean }): Death {
    const lines = this.#suspects
      .map(({ text }) => text.trimEnd())
      .filter((text) => !this.#preamble.includes(text))
      .slice(-MAX_SHOWN);
    const again = this.#channel.recipe([...this.#preamble, ...lines]);
    const recipe = again.kind === 'stdio' ? { ...again, ends } : again;
    const exchange = { sent: lines.join('\n'), received: '', connection: this.connection, recipe };
    return { detail, exchange };
  }

  #newId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }
}
