import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { type PlainMethod, type RequestSpans, scanRequest, type Span } from '@plugboard/wire';

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const SPACE = 0x20;
/** A number of that many digits is the same for everybody who reads it. */
const MAX_DIGITS = 15;

/** Where the parameters of a request name what it is about. */
const SUBJECT: Readonly<Record<PlainMethod, 'name' | 'uri' | undefined>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'completion/complete': undefined,
};

/** A request as its client wrote it: what the hub must know of it, found in its bytes. */
export class WrittenCall {
  readonly bytes: Buffer;
  readonly spans: RequestSpans;
  readonly id: string | number;
  /** The id as it was written. */
  readonly idText: string;
  readonly method: PlainMethod;
  /** The name of the tool or prompt, or the URI of the resource; undefined where the parameters name none. */
  readonly subject: string | undefined;

  private constructor(bytes: Buffer, spans: RequestSpans, parts: CallParts) {
    this.bytes = bytes;
    this.spans = spans;
    this.id = parts.id;
    this.idText = parts.idText;
    this.method = parts.method;
    this.subject = parts.subject;
  }

  /** Undefined for anything else than the plain form of a request that the fast path takes. */
  static read(bytes: Buffer): WrittenCall | undefined {
    const spans = scanRequest(bytes, MAX_JSON_DEPTH);
    if (spans?.id === undefined || spans.method === undefined) return undefined;
    const { method } = spans;
    if (spans.arguments !== undefined && bytes[spans.arguments.start] !== OPEN_BRACE) return undefined;
    if (spans.progressToken !== undefined && !isToken(bytes[spans.progressToken.start])) return undefined;
    const source = SUBJECT[method];
    const named = source && spans[source];
    const subject = named && textIn(bytes, named);
    if (source !== undefined && subject === undefined) return undefined;
    const idText = bytes.toString('utf8', spans.id.start, spans.id.end);
    const id = idOf(idText);
    return id === undefined ? undefined : new WrittenCall(bytes, spans, { id, idText, method, subject });
  }

  /** A call of a tool whose arguments came alone. Undefined when they are not one plain object, and nothing else. */
  static ofTool(name: string, args: Buffer): WrittenCall | undefined {
    const head = Buffer.from(
      `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":`,
    );
    const bytes = Buffer.concat([head, args.length === 0 ? NO_ARGUMENTS : args, END]);
    const call = WrittenCall.read(bytes);
    const span = call?.spans.arguments;
    // Whatever else they have would become a part of the message.
    const isAlone =
      span !== undefined &&
      isSpace(bytes, head.length, span.start) &&
      isSpace(bytes, span.end, bytes.length - END.length);
    return isAlone ? call : undefined;
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

const NO_ARGUMENTS = Buffer.from('{}');
const END = Buffer.from('}}');

const isSpace = (bytes: Buffer, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) > SPACE) return false;
  return start <= end;
};

type CallParts = Pick<WrittenCall, 'id' | 'idText' | 'method' | 'subject'>;

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
