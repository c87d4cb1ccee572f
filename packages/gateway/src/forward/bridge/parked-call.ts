import { createHash, randomBytes } from 'node:crypto';
import { McpProtocolError, type ServerRequest } from '@plugboard/client';
import { isJsonObject, type JsonObject, RPC_CODE } from '@plugboard/wire';
import type { ReplyChannel } from '../../call/mcp-call.js';
import { capabilityFor, declares } from './client-capability.js';
import { type Question, toModernQuestion } from './question.js';
import type { ToldSoFar } from './request-state.js';

interface Pending extends Question {
  readonly resolve: (answer: unknown) => void;
}

export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'failure'; readonly thrown: unknown };

/** What a client that waits for a call is told. */
export type Turn = Outcome | { readonly kind: 'questions'; readonly questions: JsonObject };

/** A server that asks several things asks them at once, but in several messages. */
const GATHER_MS = 20;
/** During one call, answered or not: what was asked is kept with it. */
const MAX_QUESTIONS = 1000;

const refuse = (message: string): never => {
  throw new McpProtocolError('UPSTREAM_PROTOCOL', message, { rpc: { code: RPC_CODE.methodNotFound, message } });
};

const digestOf = (question: Question): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url');

/** A call to a legacy server that may outlive the request that began it, while the client finds its answers. */
export class ParkedCall {
  readonly id = randomBytes(16).toString('base64url');
  readonly #abort = new AbortController();
  readonly #pending = new Map<string, Pending>();
  readonly #capabilities: JsonObject;
  #supplied: JsonObject;
  /** What was asked when the call was made before, for which the answers are. */
  readonly #askedBefore: ToldSoFar['asked'];
  readonly #askedNow: Record<string, string> = {};
  readonly #given: Record<string, unknown> = {};
  #outcome: Outcome | undefined;
  readonly #wakers = new Set<() => void>();
  #asked = 0;
  /** The client that waits now. */
  reply: ReplyChannel | undefined;
  round = 0;
  /** What the server asked for although the client does not offer it. */
  lacking: JsonObject | undefined;

  constructor(capabilities: JsonObject, supplied: JsonObject, askedBefore: ToldSoFar['asked'] = {}) {
    this.#capabilities = capabilities;
    this.#supplied = supplied;
    this.#askedBefore = askedBefore;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** What makes the call possible again elsewhere. */
  get told(): ToldSoFar {
    return { asked: this.#askedNow, given: this.#given };
  }

  get settled(): boolean {
    return this.#outcome !== undefined;
  }

  /** To be called once, with the call to the server. */
  follow(call: Promise<unknown>): void {
    call.then(
      (result) => this.#settle({ kind: 'result', result }),
      (thrown: unknown) => this.#settle({ kind: 'failure', thrown }),
    );
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Answers a question of the server, now or when the client comes back. */
  ask({ method, params }: ServerRequest): unknown {
    if (method === 'ping') return {};
    const asked = isJsonObject(params) ? params : undefined;
    const needed = capabilityFor(method, asked);
    if (needed === undefined) return refuse('The client does not offer this method.');
    if (!declares(this.#capabilities, needed)) {
      this.lacking ??= needed;
      return refuse('The client does not offer this.');
    }
    if (this.#asked >= MAX_QUESTIONS) return refuse('This call has asked too many questions.');
    this.#asked += 1;
    // The legacy era has no names for questions.
    const key = `input-${this.#asked}`;
    const question = toModernQuestion({ method, params: asked });
    const digest = digestOf(question);
    this.#askedNow[key] = digest;
    const given = this.#supplied[key];
    // A call that is made again may ask something else: that is not what the answer is for.
    if (isJsonObject(given) && (this.#askedBefore[key] ?? digest) === digest) {
      this.#given[key] = given;
      return given;
    }
    return new Promise((resolve) => {
      this.#pending.set(key, { ...question, resolve });
      this.#wake();
    });
  }

  /** What the client answered; what it left out stays open, what was not asked is ignored. */
  answer(responses: JsonObject): void {
    this.#supplied = responses;
    for (const [key, { resolve }] of this.#pending) {
      const given = responses[key];
      if (!isJsonObject(given)) continue;
      this.#pending.delete(key);
      this.#given[key] = given;
      resolve(given);
    }
  }

  /** Waits until the call is over or the server wants to know something. */
  async turn(signal: AbortSignal): Promise<Turn> {
    const deadline = { at: Number.POSITIVE_INFINITY };
    for (;;) {
      if (this.#outcome !== undefined) return this.#outcome;
      if (signal.aborted) return { kind: 'failure', thrown: signal.reason };
      const now = performance.now();
      if (this.#pending.size > 0) {
        if (now >= deadline.at) return { kind: 'questions', questions: this.#questions() };
        deadline.at = Math.min(deadline.at, now + GATHER_MS);
      }
      await this.#nextEvent(signal, deadline.at - now);
    }
  }

  #questions(): JsonObject {
    return Object.fromEntries(
      [...this.#pending].map(([key, { method, params }]) => [key, { method, params: params ?? {} }]),
    );
  }

  #settle(outcome: Outcome): void {
    this.#outcome = outcome;
    this.#pending.clear();
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
  }

  #nextEvent(signal: AbortSignal, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        this.#wakers.delete(finish);
        resolve();
      };
      const timer = Number.isFinite(ms) ? setTimeout(finish, Math.max(0, ms)) : undefined;
      this.#wakers.add(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }
}
