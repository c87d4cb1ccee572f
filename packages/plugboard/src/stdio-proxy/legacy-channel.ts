import { setTimeout } from 'node:timers/promises';
import { type AnswerReading, readAnswer } from './read-answer.js';

export interface LegacyChannelOptions extends Pick<AnswerReading, 'onMessage' | 'pace'> {
  readonly open: (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>;
}

const AGAIN_MS = 1000;

/** The stream of a session for what belongs to no request; it is opened again when it breaks, until it is closed. */
export class LegacyChannel {
  readonly #options: LegacyChannelOptions;
  readonly #stop = new AbortController();
  #lastEventId: string | undefined;

  constructor(options: LegacyChannelOptions) {
    this.#options = options;
  }

  async follow(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (!(await this.#once(signal))) return;
      await setTimeout(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  /** False when the session has no such stream, or is over. */
  async #once(signal: AbortSignal): Promise<boolean> {
    try {
      const { open, onMessage, pace } = this.#options;
      const last = this.#lastEventId;
      const response = await open(last === undefined ? {} : { 'last-event-id': last }, signal);
      if (response.status >= 400 && response.status < 500) {
        await response.body?.cancel();
        return false;
      }
      await readAnswer(response, {
        onMessage,
        pace,
        signal,
        onEventId: (id) => {
          this.#lastEventId = id;
        },
      });
    } catch {
      // The hub may be back in a moment.
    }
    return true;
  }
}
