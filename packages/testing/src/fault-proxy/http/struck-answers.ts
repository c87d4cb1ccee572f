import type { ProxyFault } from '../board/proxy-fault.js';
import { answerIdOf, requestIdOf } from '../board/change-answer.js';

/** More faults than this do not wait for their answers; the oldest are forgotten. */
const MOST = 1_000;

/** Over HTTP+SSE answers come on another connection than their requests: faults wait here for them. */
export class StruckAnswers {
  readonly #faults = new Map<string, ProxyFault>();

  expect(path: string, request: string, fault: ProxyFault): void {
    this.#faults.set(keyOf(path, requestIdOf(request)), fault);
    for (const oldest of this.#faults.keys()) if (this.#faults.size > MOST) this.#faults.delete(oldest);
  }

  /** The fault that waits for this message; it strikes once. */
  take(path: string, message: string): ProxyFault | undefined {
    const key = keyOf(path, answerIdOf(message));
    const fault = this.#faults.get(key);
    this.#faults.delete(key);
    return fault;
  }
}

const keyOf = (path: string, id: unknown): string => JSON.stringify([path, id ?? null]);
