import { isJsonObject, type JsonObject, type RequestId } from '@plugboard/wire';

/** A value that is already written as JSON, so that nobody builds or writes it again. */
export class RawJson {
  #text: string | undefined;
  #bytes: Buffer | undefined;

  constructor(written: string | Buffer) {
    if (typeof written === 'string') this.#text = written;
    else this.#bytes = written;
  }

  get text(): string {
    this.#text ??= this.#bytes?.toString('utf8') ?? '';
    return this.#text;
  }

  /** Made once, for those that keep it. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.#text ?? '');
    return this.#bytes;
  }

  /** How much it is, in bytes or characters. */
  get size(): number {
    return this.#bytes?.length ?? this.#text?.length ?? 0;
  }

  /** For writers that embed it without parsing it. */
  toJSON(): unknown {
    return JSON.parse(this.text) as unknown;
  }
}

/** Is a part of the result written already? Then it was looked at where that was done. */
export const hasWrittenParts = (result: unknown): boolean =>
  isJsonObject(result) && Object.values(result).some((member) => member instanceof RawJson);

/** How much of the result is written already. */
export const writtenSize = (result: unknown): number => {
  if (result instanceof RawJson) return result.size;
  const members = isJsonObject(result) ? Object.values(result) : [];
  return members.reduce<number>((sum, member) => sum + (member instanceof RawJson ? member.size : 0), 0);
};

const write = (value: unknown): string => (value instanceof RawJson ? value.text : JSON.stringify(value ?? {}));

/** A successful response as text. */
export const writeResult = (id: RequestId, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${write(result)}}`;

const bytesOf = (value: unknown): readonly Buffer[] =>
  value instanceof RawJson ? [value.bytes] : [Buffer.from(JSON.stringify(value))];

const membersOf = (result: JsonObject): readonly Buffer[] =>
  Object.entries(result)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value], index) => [
      Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
      ...bytesOf(value),
    ]);

const headOf = (id: RequestId): Buffer => Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
const END = Buffer.from('}');

/** The same as bytes, where the result is written already; undefined where it is not. */
export const writtenResult = (id: RequestId, result: unknown): readonly Buffer[] | undefined =>
  result instanceof RawJson ? [headOf(id), result.bytes, END] : undefined;

/** The same where parts of the result are written already. */
export const partlyWrittenResult = (id: RequestId, result: unknown): readonly Buffer[] | undefined =>
  isJsonObject(result) && hasWrittenParts(result) ? [headOf(id), ...membersOf(result), END, END] : undefined;

/** The value behind either form. */
export const readRaw = (value: unknown): unknown => (value instanceof RawJson ? value.toJSON() : value);
