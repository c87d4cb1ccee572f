import { answerIdOf, requestIdOf } from '../board/change-answer.js';

/** Remembers the requests that are open, to know what an answer answers. */
export class RequestBook {
  readonly #open = new Map<string, string>();

  sent(line: string): void {
    const id = requestIdOf(line);
    if (id !== undefined) this.#open.set(JSON.stringify(id), line);
  }

  /** The request that this line answers; undefined when it answers none. */
  answeredBy(line: string): string | undefined {
    const id = answerIdOf(line);
    if (id === undefined) return undefined;
    const key = JSON.stringify(id);
    const request = this.#open.get(key);
    this.#open.delete(key);
    return request;
  }
}
