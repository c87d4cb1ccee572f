import { NoAnswer } from '../../connection/no-answer.js';
import { type Answer, type Ask, ASKS, type SeenEvent } from '../ask.js';
import { anthropic } from '../dialect/anthropic.js';
import { bedrock } from '../dialect/bedrock.js';
import type { Dialect, Outgoing } from '../dialect/dialect.js';
import { openaiChat } from '../dialect/openai-chat.js';
import { openaiResponses } from '../dialect/openai-responses.js';
import type { LlmApi, LlmTarget } from '../target.js';
import { type Exchange, send, type SendOptions } from '../wire/send.js';

export const DIALECTS: Readonly<Record<LlmApi, Dialect>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  bedrock,
};

export interface SeenAnswer {
  readonly exchange: Exchange;
  readonly answer: Answer;
}

export interface SeenStream {
  readonly exchange: Exchange;
  readonly events: readonly SeenEvent[];
}

/** A request in its good form was not answered well, so nothing that builds on it can be judged. */
export class NoControl extends Error {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`The endpoint answered a valid request with status ${exchange.status}.`);
    this.exchange = exchange;
  }
}

/** Asks the endpoint. What several checks need is asked once. */
export class LlmProbe {
  readonly target: LlmTarget;
  readonly dialect: Dialect;
  readonly exchanges: Exchange[] = [];
  readonly #options: SendOptions;
  readonly #answers = new Map<Ask, Promise<SeenAnswer>>();
  readonly #streams = new Map<string, Promise<SeenStream>>();

  constructor(target: LlmTarget, options: SendOptions = {}) {
    this.target = target;
    this.dialect = DIALECTS[target.api];
    this.#options = options;
  }

  /** Sends any request; `as` replaces parts of the target, such as its key. */
  async send(outgoing: Outgoing, options: SendOptions = {}, as: Partial<LlmTarget> = {}): Promise<Exchange> {
    if (this.#options.signal?.aborted === true) throw new NoAnswer('The run was cancelled.');
    const target = { ...this.target, ...as };
    const exchange = await send(target, this.dialect, outgoing, { ...this.#options, ...options });
    this.exchanges.push(exchange);
    return exchange;
  }

  ask(ask: Ask, options: SendOptions = {}, as: Partial<LlmTarget> = {}): Promise<Exchange> {
    return this.send(this.dialect.request({ ...this.target, ...as }, ask), options, as);
  }

  /** The answer to a valid request. Throws NoControl when it is refused. */
  answered(ask: Ask): Promise<SeenAnswer> {
    const known = this.#answers.get(ask);
    if (known !== undefined) return known;
    const asked = this.ask(ask).then((exchange) => {
      if (exchange.status !== 200) throw new NoControl(exchange);
      return { exchange, answer: this.dialect.readWhole(exchange.json) };
    });
    this.#answers.set(ask, asked);
    return asked;
  }

  streamed(name: 'story' | 'tool' | 'cities'): Promise<SeenStream> {
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    const asked = this.ask({ ...ASKS[name], stream: true }).then((exchange) => {
      if (exchange.status !== 200) throw new NoControl(exchange);
      return { exchange, events: this.dialect.readStream(exchange.bytes) };
    });
    this.#streams.set(name, asked);
    return asked;
  }
}
