import type { DirectListener, DirectMessage, FastLine, UnderWay } from '@plugboard/client';
import { type Era, scanProgress } from '@plugboard/wire';

/** What the fake server answers on the fast path: a JSON-RPC message as text, progress before it, or nothing at all. */
export type LineAnswer = (message: DirectMessage) => string | readonly string[] | undefined;

interface Prepared {
  readonly listener: DirectListener;
  handOver(): UnderWay;
}

/** False when the listener leaves the rest to the full path. */
const tell = (listener: DirectListener, message: Buffer): boolean => {
  const token = scanProgress(message, 64);
  if (token !== undefined ? listener.onProgress(message, token) : listener.onAnswer(message)) return true;
  listener.onUnusual(token === undefined ? 'answer' : 'notification');
  return false;
};

/** The line of a connection to one server, without a network: it answers from a function. */
export class FakeLine implements FastLine {
  readonly transport = 'streamable_http';
  readonly ending = '';
  readonly posted: DirectMessage[] = [];
  isFull = false;
  cancelled = 0;
  dropped = 0;
  #lastId = 100;
  readonly era: Era;
  readonly revision: string;
  readonly #answer: LineAnswer;

  constructor(answer: LineAnswer, revision = '2025-11-25', era: Era = 'legacy') {
    this.#answer = answer;
    this.revision = revision;
    this.era = era;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  prepare({ id }: DirectMessage, listener: DirectListener): Prepared | undefined {
    if (this.isFull) return undefined;
    const underWay = {
      id,
      startedAt: performance.now(),
      isOpen: true,
      claim: () => undefined,
      drop: () => {
        this.dropped += 1;
      },
    } as unknown as UnderWay;
    return { listener, handOver: () => underWay };
  }

  post(message: DirectMessage, { listener }: Prepared): void {
    this.posted.push(message);
    const answer = this.#answer(message);
    if (answer === undefined) return;
    const messages = typeof answer === 'string' ? [answer] : answer;
    queueMicrotask(() => {
      for (const text of messages) if (!tell(listener, Buffer.from(text))) return;
    });
  }

  cancel(): void {
    this.cancelled += 1;
  }
}
