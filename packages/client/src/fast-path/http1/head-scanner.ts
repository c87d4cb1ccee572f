import { COLON, CR, isName, isSpace, LF, SPACE, TEXT, TOKEN } from './http1-bytes.js';
import { badHttp } from './http1-error.js';
import { RecentText } from './recent-text.js';

/** The head does not end in these bytes. */
export const INCOMPLETE = -1;
const NO_LENGTH = -1;

const CONTENT_LENGTH = Buffer.from('content-length');
const CONTENT_TYPE = Buffer.from('content-type');
const TRANSFER_ENCODING = Buffer.from('transfer-encoding');
const CONNECTION = Buffer.from('connection');
const KEEP_ALIVE = Buffer.from('keep-alive');
const CHUNKED = Buffer.from('chunked');
const VERSION = Buffer.from('HTTP/1.');

/** More digits than this are not exact as a number. */
const MAX_LENGTH_DIGITS = 15;
const TIMEOUT_HINT = /(?:^|[\s,])timeout\s*=\s*"?(\d{1,9})/iu;

const NOT_A_NUMBER = -1;

const numberIn = (bytes: Buffer, start: number, end: number): number => {
  if (start === end) return NOT_A_NUMBER;
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return NOT_A_NUMBER;
    value = value * 10 + digit;
  }
  return value;
};

/** Reads the head of an answer in its bytes: what decides how to go on, and nothing else. */
export class HeadScanner {
  status = 0;
  /** The connection ends with this answer. */
  closes = false;
  chunked = false;
  contentLength = NO_LENGTH;
  contentType = '';
  /** For how long the server keeps the connection, in seconds. */
  keepAliveSeconds: number | undefined;
  private hasType = false;
  private at = 0;
  private valueStart = 0;
  private valueEnd = 0;
  private readonly types = new RecentText();
  private readonly hints = new RecentText();
  private hint = '';
  private hintSeconds: number | undefined;

  /** Where the head ends that begins at `start`. Throws when it is not in order. */
  scan(bytes: Buffer, start: number): number {
    this.closes = false;
    this.chunked = false;
    this.contentLength = NO_LENGTH;
    this.contentType = '';
    this.hasType = false;
    this.keepAliveSeconds = undefined;
    this.at = start;
    if (!this.statusLine(bytes)) return INCOMPLETE;
    while (this.at + 1 < bytes.length) {
      if (bytes[this.at] === CR) {
        if (bytes[this.at + 1] !== LF) throw badHttp('HPE_LF_EXPECTED', 'a line ends without LF');
        return this.at + 2;
      }
      if (!this.field(bytes)) return INCOMPLETE;
    }
    return INCOMPLETE;
  }

  get hasLength(): boolean {
    return this.contentLength !== NO_LENGTH;
  }

  private statusLine(bytes: Buffer): boolean {
    const start = this.at;
    const length = Math.min(VERSION.length, bytes.length - start);
    for (let index = 0; index < length; index += 1) {
      if (bytes[start + index] !== VERSION[index]) {
        throw badHttp('HPE_INVALID_CONSTANT', 'it does not begin with HTTP/1');
      }
    }
    // HTTP/1.1 200
    if (bytes.length - start < 13) return false;
    const minor = (bytes[start + 7] as number) - 0x30;
    if (minor !== 0 && minor !== 1) throw badHttp('HPE_INVALID_VERSION', 'the version of HTTP is neither 1.0 nor 1.1');
    this.closes = minor === 0;
    const status = numberIn(bytes, start + 9, start + 12);
    const after = bytes[start + 12];
    if (bytes[start + 8] !== SPACE || status < 100 || (after !== SPACE && after !== CR)) {
      throw badHttp('HPE_INVALID_STATUS', 'the status is not a number of three digits');
    }
    this.status = status;
    this.at = start + 12;
    return this.lineEnd(bytes);
  }

  /** Goes on behind the end of this line, if it is there. */
  private lineEnd(bytes: Buffer): boolean {
    const { length } = bytes;
    let { at } = this;
    while (at < length && TEXT[bytes[at] as number] === 1) at += 1;
    if (at === length) return false;
    if (bytes[at] !== CR) throw badHttp('HPE_INVALID_HEADER_TOKEN', 'there is a control character in the head');
    if (at + 1 === length) return false;
    if (bytes[at + 1] !== LF) throw badHttp('HPE_LF_EXPECTED', 'there is a CR without LF in the head');
    this.at = at + 2;
    return true;
  }

  private field(bytes: Buffer): boolean {
    const { length } = bytes;
    const nameStart = this.at;
    let at = nameStart;
    while (at < length && TOKEN[bytes[at] as number] === 1) at += 1;
    if (at === length) return false;
    if (bytes[at] !== COLON || at === nameStart) {
      throw badHttp('HPE_INVALID_HEADER_TOKEN', 'a field has no proper name');
    }
    const nameLength = at - nameStart;
    at += 1;
    while (at < length && isSpace(bytes[at] as number)) at += 1;
    this.at = at;
    if (!this.lineEnd(bytes)) return false;
    let end = this.at - 2;
    while (end > at && isSpace(bytes[end - 1] as number)) end -= 1;
    this.valueStart = at;
    this.valueEnd = end;
    this.heed(bytes, nameStart, nameLength);
    return true;
  }

  private heed(bytes: Buffer, nameStart: number, nameLength: number): void {
    switch (nameLength) {
      case CONNECTION.length:
        if (isName(bytes, nameStart, CONNECTION)) this.heedConnection(bytes);
        else if (isName(bytes, nameStart, KEEP_ALIVE)) this.heedKeepAlive(bytes);
        break;
      case CONTENT_TYPE.length:
        // Of several, the first counts, as it does among the fields.
        if (isName(bytes, nameStart, CONTENT_TYPE) && !this.hasType) this.heedType(bytes);
        break;
      case CONTENT_LENGTH.length:
        if (isName(bytes, nameStart, CONTENT_LENGTH)) this.heedLength(bytes);
        break;
      case TRANSFER_ENCODING.length:
        if (isName(bytes, nameStart, TRANSFER_ENCODING)) this.heedEncoding(bytes);
        break;
      default:
    }
  }

  private heedType(bytes: Buffer): void {
    this.hasType = true;
    this.contentType = this.types.read(bytes, this.valueStart, this.valueEnd);
  }

  private heedLength(bytes: Buffer): void {
    const { valueStart, valueEnd } = this;
    const length = valueEnd - valueStart > MAX_LENGTH_DIGITS ? NOT_A_NUMBER : numberIn(bytes, valueStart, valueEnd);
    if (length === NOT_A_NUMBER) throw badHttp('HPE_INVALID_CONTENT_LENGTH', 'the content-length is not a number');
    if (this.chunked || (this.hasLength && this.contentLength !== length)) {
      throw badHttp('HPE_UNEXPECTED_CONTENT_LENGTH', 'the length of the answer is given twice');
    }
    this.contentLength = length;
  }

  private heedEncoding(bytes: Buffer): void {
    if (
      this.valueEnd - this.valueStart !== CHUNKED.length ||
      !isName(bytes, this.valueStart, CHUNKED) ||
      this.chunked
    ) {
      throw badHttp('HPE_INVALID_TRANSFER_ENCODING', 'the transfer-encoding is not chunked');
    }
    if (this.hasLength) throw badHttp('HPE_UNEXPECTED_CONTENT_LENGTH', 'the length of the answer is given twice');
    this.chunked = true;
  }

  private heedConnection(bytes: Buffer): void {
    const { valueStart, valueEnd } = this;
    if (valueEnd - valueStart === KEEP_ALIVE.length && isName(bytes, valueStart, KEEP_ALIVE)) return;
    const options = bytes.toString('latin1', valueStart, valueEnd).toLowerCase().split(',');
    if (options.some((option) => option.trim() === 'close')) this.closes = true;
  }

  private heedKeepAlive(bytes: Buffer): void {
    const hint = this.hints.read(bytes, this.valueStart, this.valueEnd);
    if (hint !== this.hint) {
      this.hint = hint;
      const seconds = TIMEOUT_HINT.exec(hint)?.[1];
      this.hintSeconds = seconds === undefined ? undefined : Number(seconds);
    }
    this.keepAliveSeconds = this.hintSeconds;
  }
}
