import type { JSValueHandle } from 'quickjs-wasi';
import { guestErrorOf } from './failure.js';

const MAX_KEPT = 20;

/** Rejections that nobody took care of by the end of the run. */
export class UnhandledRejections {
  readonly #texts = new Map<number, string>();

  readonly note = (promise: JSValueHandle, reason: JSValueHandle, handled: boolean): void => {
    if (handled) {
      this.#texts.delete(promise.identity);
    } else if (this.#texts.size < MAX_KEPT) {
      const { name, message } = guestErrorOf(reason);
      this.#texts.set(promise.identity, `Unhandled rejection: ${name}: ${message}`);
    }
  };

  /** The host itself takes care of this one. */
  forget(promise: JSValueHandle): void {
    this.#texts.delete(promise.identity);
  }

  take(): readonly string[] {
    const texts = [...this.#texts.values()];
    this.#texts.clear();
    return texts;
  }
}
