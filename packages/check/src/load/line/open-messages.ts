import { at, isObject, tryJson, type JsonObject } from '../../connection/json.js';
import type { Arrival, OnStray, Sent } from './load-line.js';
import { replyTo } from './reply.js';

interface Open {
  readonly resolve: (arrival: Arrival) => void;
  readonly timer: NodeJS.Timeout;
  readonly progressToken: string | undefined;
  /** When the first report of its progress came. */
  firstAt: number | undefined;
}

interface Channel {
  readonly onStray: OnStray;
  /** Sends a reply to a request of the server. */
  readonly reply: (text: string) => void;
}

/** Requests on a channel that all of them share, by their id. */
export class OpenMessages {
  readonly #open = new Map<number, Open>();
  readonly #byToken = new Map<string, Open>();
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  wait({ id, progressToken }: Pick<Sent, 'id' | 'progressToken'>, deadlineMs: number): Promise<Arrival> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.fail(id, 'timeout'), deadlineMs);
      const open: Open = { resolve, timer, progressToken, firstAt: undefined };
      this.#open.set(id, open);
      if (progressToken !== undefined) this.#byToken.set(progressToken, open);
    });
  }

  /** One message of the server, as text. */
  take(text: string): void {
    const arrived = performance.now();
    const message = tryJson(text);
    if (!isObject(message)) return;
    if ('method' in message) return this.#takeRequest(message, arrived);
    const open = this.#settle(message['id']);
    if (open === undefined) return this.#channel.onStray(message);
    const { resolve, firstAt = arrived } = open;
    resolve({ kind: 'answer', at: arrived, firstAt, message, text, notices: [], surplus: 0 });
  }

  fail(id: number, error: string): void {
    this.#settle(id)?.resolve({ kind: 'failure', at: performance.now(), error });
  }

  failAll(error: string): void {
    for (const id of this.#open.keys()) this.fail(id, error);
  }

  /** A request or a notification. */
  #takeRequest(message: JsonObject, arrived: number): void {
    const token = at(message, 'params', 'progressToken');
    const open = typeof token === 'string' ? this.#byToken.get(token) : undefined;
    if (open !== undefined) open.firstAt ??= arrived;
    const reply = replyTo(message);
    if (reply !== undefined) this.#channel.reply(reply);
    this.#channel.onStray(message);
  }

  #settle(id: unknown): Open | undefined {
    if (typeof id !== 'number') return undefined;
    const open = this.#open.get(id);
    if (open === undefined) return undefined;
    this.#open.delete(id);
    if (open.progressToken !== undefined) this.#byToken.delete(open.progressToken);
    clearTimeout(open.timer);
    return open;
  }
}
