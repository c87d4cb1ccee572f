import { CR, LF, SEMICOLON, TEXT } from './http1-bytes.js';
import { badHttp } from './http1-error.js';

type State =
  | 'size'
  | 'extension'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'line'
  | 'trailer'
  | 'trailer-lf'
  | 'last-lf'
  | 'done';

const MAX_SIZE_DIGITS = 8;
/** For the extensions of one chunk, and for all trailers together. */
const MAX_EXTRA_BYTES = 16 * 1024;

const hexDigit = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** Finds the data in a chunked body (RFC 9112, 7.1), wherever its bytes are cut. */
export class ChunkDecoder {
  /** Where the data is that the last step found; empty when it found none. */
  dataStart = 0;
  dataEnd = 0;
  private state: State = 'size';
  private digits = 0;
  private left = 0;
  private extra = 0;

  begin(): void {
    this.state = 'size';
    this.digits = 0;
    this.left = 0;
    this.extra = 0;
  }

  get isDone(): boolean {
    return this.state === 'done';
  }

  /** Reads on to the end of the next piece of data, of the body, or of the bytes; returns how far it came. */
  step(bytes: Buffer, start: number): number {
    this.dataStart = start;
    this.dataEnd = start;
    let at = start;
    while (at < bytes.length && this.state !== 'done') {
      if (this.state === 'data') return this.takeData(bytes, at);
      this.read(bytes[at] as number);
      at += 1;
    }
    return at;
  }

  private takeData(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + this.left);
    this.left -= end - start;
    if (this.left === 0) this.state = 'data-cr';
    this.dataStart = start;
    this.dataEnd = end;
    return end;
  }

  private read(byte: number): void {
    switch (this.state) {
      case 'size':
        this.readSize(byte);
        break;
      case 'extension':
        if (byte === CR) this.state = 'size-lf';
        else this.skip(byte);
        break;
      case 'size-lf':
        this.state = this.left === 0 ? 'line' : 'data';
        this.extra = 0;
        expectLf(byte);
        break;
      case 'data-cr':
        if (byte !== CR) throw badHttp('HPE_STRICT', 'a chunk is longer than its size');
        this.state = 'data-lf';
        break;
      case 'data-lf':
        expectLf(byte);
        this.state = 'size';
        this.digits = 0;
        break;
      case 'line':
        if (byte === CR) {
          this.state = 'last-lf';
        } else {
          this.state = 'trailer';
          this.skip(byte);
        }
        break;
      case 'trailer':
        if (byte === CR) this.state = 'trailer-lf';
        else this.skip(byte);
        break;
      case 'trailer-lf':
        expectLf(byte);
        this.state = 'line';
        break;
      case 'last-lf':
        expectLf(byte);
        this.state = 'done';
        break;
      case 'data':
      case 'done':
        break;
      default:
        this.state satisfies never;
    }
  }

  private readSize(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0 && this.digits < MAX_SIZE_DIGITS) {
      this.left = this.digits === 0 ? digit : this.left * 16 + digit;
      this.digits += 1;
    } else if (this.digits > 0 && byte === CR) {
      this.state = 'size-lf';
    } else if (this.digits > 0 && byte === SEMICOLON) {
      this.state = 'extension';
    } else {
      throw badHttp('HPE_INVALID_CHUNK_SIZE', 'the size of a chunk is not a number');
    }
  }

  private skip(byte: number): void {
    this.extra += 1;
    if (this.extra > MAX_EXTRA_BYTES) {
      throw badHttp('HPE_HEADER_OVERFLOW', 'there is too much beside the data of the chunks');
    }
    if (TEXT[byte] !== 1) throw badHttp('HPE_STRICT', 'there is a control character beside the data of the chunks');
  }
}

const expectLf = (byte: number): void => {
  if (byte !== LF) throw badHttp('HPE_LF_EXPECTED', 'there is a CR without LF beside the data of the chunks');
};
