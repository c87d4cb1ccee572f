import type { RequestId } from '@plugboard/wire';

/** A value that is already written as JSON, so that nobody builds or writes it again. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const write = (value: unknown): string => (value instanceof RawJson ? value.text : JSON.stringify(value ?? {}));

/** A successful response as text. */
export const writeResult = (id: RequestId, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${write(result)}}`;

/** The value behind either form. */
export const readRaw = (value: unknown): unknown =>
  value instanceof RawJson ? (JSON.parse(value.text) as unknown) : value;
