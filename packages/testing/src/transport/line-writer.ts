import type { Writable } from 'node:stream';
import type { Fault } from '../fault/fault.js';
import type { JsonRpcMessage } from '../json-rpc/message.js';
import { ByteSink } from './byte-sink.js';

/** How a stdio server writes, for better or worse. Plain JSON. */
export interface LineStyle {
  /** Lines before the first message, as some servers print. */
  readonly banner?: readonly string[];
  /** A line before each message that is none. */
  readonly noise?: string;
  readonly lineEnding?: '\n' | '\r\n';
  /** Everything goes out in pieces of this many bytes. */
  readonly splitBytes?: number;
}

export class LineWriter {
  readonly #sink: ByteSink;
  readonly #style: LineStyle;

  constructor(out: Writable, style: LineStyle) {
    this.#style = style;
    this.#sink = new ByteSink(out, style);
    out.on('error', () => undefined);
  }

  banner(): void {
    for (const line of this.#style.banner ?? []) this.raw(`${line}\n`);
  }

  message(message: JsonRpcMessage, fault: Fault = {}): void {
    const ending = fault.lineEnding ?? this.#style.lineEnding ?? '\n';
    const noise = [...(this.#style.noise === undefined ? [] : [this.#style.noise]), ...(fault.noise ?? [])];
    for (const line of noise) this.raw(`${line}${ending}`);
    this.raw(`${JSON.stringify(message)}${ending}`, fault);
  }

  raw(text: string, fault: Pick<Fault, 'drip' | 'splitBytes'> = {}): void {
    this.#sink.write(text, fault);
  }

  flushed(): Promise<void> {
    return this.#sink.flushed();
  }
}
