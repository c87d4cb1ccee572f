import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { isText, type JsonRpcResponse, scanAnswer, scanProgress, type Span } from '@plugboard/wire';
import type { McpClientError } from '../../error/client-error.js';
import { FAST_ANSWER_BYTES } from '../../read-buffer/answer-place.js';
import type { PipeExchange } from './pipe-exchange.js';

/** More than a bulkhead lets in at once. A power of two. */
const SLOTS = 512;

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/**
 * Lines that were written to a program on the fast path and whose answers nobody has taken yet. Ids count upwards, so each
 * has a slot of its own for as long as fewer than all are waiting; a Map would keep every request alive for long.
 */
export class SentLines implements Iterable<PipeExchange> {
  readonly #slots: (PipeExchange | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  hasRoomFor(id: number): boolean {
    return this.#slots[id % SLOTS] === undefined;
  }

  add(exchange: PipeExchange): void {
    this.#slots[exchange.id % SLOTS] = exchange;
    this.#size += 1;
  }

  remove(exchange: PipeExchange): void {
    const slot = exchange.id % SLOTS;
    if (this.#slots[slot] !== exchange) return;
    this.#slots[slot] = undefined;
    this.#size -= 1;
  }

  find(id: unknown): PipeExchange | undefined {
    const found = typeof id === 'number' ? this.#slots[id % SLOTS] : undefined;
    return found?.id === id ? found : undefined;
  }

  *[Symbol.iterator](): Generator<PipeExchange> {
    for (const exchange of this.#slots) if (exchange !== undefined) yield exchange;
  }

  /** Gives a plain answer, or progress, to the call that waits for it. False when the line is anything else. */
  takeLine(line: Uint8Array): boolean {
    if (this.#size === 0 || line.length > FAST_ANSWER_BYTES) return false;
    const bytes = asBuffer(line);
    const spans = scanAnswer(line, MAX_JSON_DEPTH);
    if (spans?.id !== undefined) return this.#named(bytes, spans.id)?.takeAnswer(bytes, spans) === true;
    const token = scanProgress(line, MAX_JSON_DEPTH);
    return token !== undefined && this.#named(bytes, token)?.takeProgress(bytes, token) === true;
  }

  /** The call whose id is written there. */
  #named(line: Buffer, span: Span): PipeExchange | undefined {
    const exchange = this.find(Number(line.toString('latin1', span.start, span.end)));
    return exchange !== undefined && isText(line, span, exchange.idText) ? exchange : undefined;
  }

  /** Gives an answer of any other form to the call that waits for it. */
  takeResponse(response: JsonRpcResponse): boolean {
    const exchange = this.find(response.id);
    exchange?.takeResponse(response);
    return exchange !== undefined;
  }

  takeLarge(id: number, line: Uint8Array): boolean {
    const exchange = this.find(id);
    exchange?.takeLarge(line);
    return exchange !== undefined;
  }

  /** The program is gone. */
  fail(error: McpClientError): void {
    for (const exchange of this) exchange.fail(error);
  }
}
