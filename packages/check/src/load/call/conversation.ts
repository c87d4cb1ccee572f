import { at, type JsonObject } from '../../connection/json.js';
import type { LoadLine } from '../line/load-line.js';
import type { Violations } from './violations.js';

/** How many ids of calls that were given up are remembered: their answers may still come. */
const REMEMBERED = 10_000;

/** The requests in flight on one connection, to judge messages that are not their answers. */
export class Conversation {
  readonly #violations: Violations;
  readonly #progress = new Map<string, number>();
  readonly #givenUp = new Set<number>();
  readonly #givenUpTokens = new Set<string>();
  /** More calls were given up than are remembered: what comes late can no longer be told from what is wrong. */
  #hasForgotten = false;
  #line: LoadLine | undefined;
  #lastId = 0;

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  get line(): LoadLine {
    if (this.#line === undefined) throw new Error('The conversation has no line yet.');
    return this.#line;
  }

  set line(line: LoadLine) {
    this.#line = line;
  }

  newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  begin(token: string): void {
    this.#progress.set(token, Number.NEGATIVE_INFINITY);
  }

  end(token: string): void {
    this.#progress.delete(token);
  }

  /** A call whose answer and progress may still come. */
  giveUp(id: number, token: string): void {
    if (this.#progress.delete(token)) this.#givenUpTokens.add(token);
    this.#givenUp.add(id);
    this.#hasForgotten ||= this.#givenUp.size > REMEMBERED || this.#givenUpTokens.size > REMEMBERED;
    if (!this.#hasForgotten) return;
    this.#givenUp.clear();
    this.#givenUpTokens.clear();
  }

  /** A message that answers no open request. */
  stray(message: JsonObject): void {
    if (!('method' in message)) return this.#strayAnswer(message);
    if (message['method'] === 'notifications/progress') this.progress(message);
  }

  /** A report of progress, which must belong to an open call and go forward. */
  progress(message: JsonObject, own?: string): void {
    const token = at(message, 'params', 'progressToken');
    const value = at(message, 'params', 'progress');
    const last = typeof token === 'string' ? this.#progress.get(token) : undefined;
    if (last === undefined && (this.#hasForgotten || this.#givenUpTokens.has(String(token)))) return;
    if (last === undefined || (own !== undefined && token !== own)) {
      this.#violations.add('progress-mixed', 'Progress came for a call that is not open here:', message);
      return;
    }
    if (typeof value !== 'number' || value <= last) {
      this.#violations.add('progress-mixed', 'Progress did not increase:', message);
      return;
    }
    this.#progress.set(String(token), value);
  }

  #strayAnswer(message: JsonObject): void {
    const id = message['id'];
    if (typeof id === 'number' && this.#givenUp.delete(id)) return;
    // An error without an id is about a request that the server could not read; it mixes up nobody.
    if (id === null && 'error' in message) return;
    const isKnown = typeof id === 'number' && id >= 0 && id <= this.#lastId;
    if (isKnown && this.#hasForgotten) return;
    if (isKnown) this.#violations.add('surplus-answer', 'A request was answered twice:', message);
    else this.#violations.add('id-mixed', 'An answer has an id that was never sent:', message);
  }
}
