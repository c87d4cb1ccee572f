import type { IncomingHttpHeaders } from 'node:http';
import { isSpace } from './http1-bytes.js';
import type { ResponseHead } from './http1-handler.js';

/** Fields of which node:http keeps the first. */
const SINGLE: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

/** Without what stands around it. A pattern would look at every run of spaces in the middle once for each of them. */
const trimmed = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

const addField = (headers: IncomingHttpHeaders, name: string, value: string): void => {
  if (name === 'set-cookie') {
    (headers[name] ??= []).push(value);
    return;
  }
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (!SINGLE.has(name)) headers[name] = `${String(before)}${name === 'cookie' ? '; ' : ', '}${value}`;
};

/** The head of an answer that was found to be in order, read only as far as somebody asks. */
export class ResponseFields implements ResponseHead {
  readonly contentType: string;
  private readonly bytes: Buffer;
  private readonly start: number;
  private readonly end: number;
  private parsed: IncomingHttpHeaders | undefined;

  /** The bytes from the status line on, up to the empty line. */
  constructor(contentType: string, bytes: Buffer, start: number, end: number) {
    this.contentType = contentType;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  headers(): IncomingHttpHeaders {
    this.parsed ??= this.parse();
    return this.parsed;
  }

  private parse(): IncomingHttpHeaders {
    // No prototype: a field may be called whatever it likes.
    const headers = Object.create(null) as IncomingHttpHeaders;
    const lines = this.bytes.toString('latin1', this.start, this.end).split('\r\n');
    for (const line of lines.slice(1)) {
      const colon = line.indexOf(':');
      if (colon > 0) addField(headers, line.slice(0, colon).toLowerCase(), trimmed(line.slice(colon + 1)));
    }
    return headers;
  }
}
