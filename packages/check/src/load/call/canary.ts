import { randomBytes } from 'node:crypto';

/** Marks that no two calls of a run share. */
export class Canaries {
  readonly #prefix: string;
  readonly #worker: string;
  #next = 0;

  /** Workers of one run share the run, so that each knows the canaries of the others. */
  constructor(run = randomBytes(4).toString('hex'), worker = '') {
    this.#prefix = `canary-${run}-`;
    this.#worker = worker;
  }

  next(): string {
    this.#next += 1;
    return `${this.#prefix}${this.#worker}${this.#next}.`;
  }

  isOwn(text: unknown): text is string {
    return typeof text === 'string' && text.startsWith(this.#prefix);
  }

  /** A canary of another call in a text; undefined when there is none. */
  foreignIn(text: string, own: string): string | undefined {
    for (let at = text.indexOf(this.#prefix); at !== -1; at = text.indexOf(this.#prefix, at + 1)) {
      if (text.startsWith(own, at)) continue;
      const end = text.indexOf('.', at);
      return text.slice(at, end === -1 ? at + own.length : end + 1);
    }
    return undefined;
  }
}
