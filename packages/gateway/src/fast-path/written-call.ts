import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { scanToolCall, type Span, type ToolCallSpans } from '@plugboard/wire';

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
/** A number of that many digits is the same for everybody who reads it. */
const MAX_DIGITS = 15;

/** A `tools/call` as its client wrote it: what the hub must know of it, found in its bytes. */
export class WrittenCall {
  readonly bytes: Buffer;
  readonly spans: ToolCallSpans;
  readonly id: string | number;
  /** The id as it was written. */
  readonly idText: string;
  readonly name: string;

  private constructor(bytes: Buffer, spans: ToolCallSpans, parts: Pick<WrittenCall, 'id' | 'idText' | 'name'>) {
    this.bytes = bytes;
    this.spans = spans;
    this.id = parts.id;
    this.idText = parts.idText;
    this.name = parts.name;
  }

  /** Undefined for anything else than the plain form of a call. */
  static read(bytes: Buffer): WrittenCall | undefined {
    const spans = scanToolCall(bytes, MAX_JSON_DEPTH);
    if (spans?.id === undefined || spans.name === undefined) return undefined;
    if (spans.arguments !== undefined && bytes[spans.arguments.start] !== OPEN_BRACE) return undefined;
    if (spans.progressToken !== undefined && !isToken(bytes[spans.progressToken.start])) return undefined;
    const idText = bytes.toString('utf8', spans.id.start, spans.id.end);
    const id = idOf(idText);
    const name = textIn(bytes, spans.name);
    return id === undefined || name === undefined ? undefined : new WrittenCall(bytes, spans, { id, idText, name });
  }

  /** A member of the metadata that is a text. */
  text(span: Span | undefined): string | undefined {
    return span === undefined ? undefined : textIn(this.bytes, span);
  }

  get argumentsText(): string | undefined {
    const span = this.spans.arguments;
    return span === undefined ? undefined : this.bytes.toString('utf8', span.start, span.end);
  }

  isObject(span: Span | undefined): boolean {
    return span !== undefined && this.bytes[span.start] === OPEN_BRACE;
  }
}

const isToken = (first: number | undefined): boolean =>
  first === QUOTE || first === 0x2d || (first !== undefined && first >= 0x30 && first <= 0x39);

const textIn = (bytes: Buffer, { start, end }: Span): string | undefined => {
  if (bytes[start] !== QUOTE) return undefined;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === BACKSLASH) return JSON.parse(bytes.toString('utf8', start, end)) as string;
  }
  return bytes.toString('utf8', start + 1, end - 1);
};

const idOf = (text: string): string | number | undefined => {
  if (text.startsWith('"')) return JSON.parse(text) as string;
  return /^-?\d+$/u.test(text) && text.length <= MAX_DIGITS ? Number(text) : undefined;
};
