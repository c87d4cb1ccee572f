import type { JsonObject } from '../connection/json.js';
import { askedFor, exchangesOf, type RecordedExchange } from './exchanges.js';
import type { Recording } from './recording.js';

const NOT_RECORDED = -32_603;

/** Answers as the recorded server did. The same question asked again gets the next recorded answer, and then the last one. */
export class Replayer {
  readonly #answers = new Map<string, RecordedExchange[]>();
  readonly #missed = new Set<string>();

  constructor(recording: Recording) {
    for (const exchange of exchangesOf(recording)) {
      if (exchange.response === undefined) continue;
      const key = askedFor(exchange.method, exchange.params);
      this.#answers.set(key, [...(this.#answers.get(key) ?? []), exchange]);
    }
  }

  /** Requests that are not in the recording, by method. */
  get missed(): readonly string[] {
    return [...this.#missed];
  }

  /** The answer to a message; undefined for notifications and answers of the client. */
  answer(message: JsonObject): JsonObject | undefined {
    const { id, method } = message;
    if (typeof method !== 'string' || id === undefined) return undefined;
    const recorded = this.#answers.get(askedFor(method, message['params']));
    const [next] = recorded ?? [];
    if (recorded !== undefined && next?.response !== undefined) {
      if (recorded.length > 1) recorded.shift();
      return { ...next.response, id };
    }
    if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
    this.#missed.add(method);
    const text = `The recording has no answer to this ${method}.`;
    return { jsonrpc: '2.0', id, error: { code: NOT_RECORDED, message: text } };
  }
}
