import { isObject, tryJson, type JsonObject } from '../../connection/json.js';
import type { Arrival, OnStray } from './load-line.js';

interface Open {
  readonly resolve: (arrival: Arrival) => void;
  readonly timer: NodeJS.Timeout;
}

/** Requests on a channel that all of them share, by their id. */
export class OpenMessages {
  readonly #open = new Map<number, Open>();
  readonly #onStray: OnStray;

  constructor(onStray: OnStray) {
    this.#onStray = onStray;
  }

  wait(id: number, deadlineMs: number): Promise<Arrival> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.fail(id, 'timeout'), deadlineMs);
      this.#open.set(id, { resolve, timer });
    });
  }

  /** One message of the server, as text. */
  take(text: string): void {
    const message = tryJson(text);
    if (!isObject(message)) return;
    const open = 'method' in message ? undefined : this.#settle(message['id']);
    if (open === undefined) this.#onStray(message);
    else open.resolve(answered(message, text));
  }

  fail(id: number, error: string): void {
    this.#settle(id)?.resolve({ kind: 'failure', at: performance.now(), error });
  }

  failAll(error: string): void {
    for (const id of this.#open.keys()) this.fail(id, error);
  }

  #settle(id: unknown): Open | undefined {
    if (typeof id !== 'number') return undefined;
    const open = this.#open.get(id);
    if (open === undefined) return undefined;
    this.#open.delete(id);
    clearTimeout(open.timer);
    return open;
  }
}

const answered = (message: JsonObject, text: string): Arrival => ({
  kind: 'answer',
  at: performance.now(),
  firstAt: undefined,
  message,
  text,
  notices: [],
  surplus: 0,
});
