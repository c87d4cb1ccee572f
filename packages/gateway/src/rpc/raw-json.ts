import type { RequestId } from '@plugboard/wire';

/** A value that is already written as JSON, so that nobody builds or writes it again. */
export class RawJson {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Made once, for whoever keeps it. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

const write = (value: unknown): string => (value instanceof RawJson ? value.text : JSON.stringify(value ?? {}));

/** A successful response as text. */
export const writeResult = (id: RequestId, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${write(result)}}`;

const END = Buffer.from('}');

/** The same as bytes, where the result is written already; undefined where it is not. */
export const writtenResult = (id: RequestId, result: unknown): readonly Buffer[] | undefined =>
  result instanceof RawJson
    ? [Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), result.bytes, END]
    : undefined;

/** The value behind either form. */
export const readRaw = (value: unknown): unknown =>
  value instanceof RawJson ? (JSON.parse(value.text) as unknown) : value;
