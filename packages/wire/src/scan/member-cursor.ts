import { NOWHERE, skipColon, skipSpace, skipString, skipValue } from './skip-json.js';

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BACKSLASH = 0x5c;

/** Goes through the members of an object in bytes. The visitor of a member takes its value, or enters it. */
export class MemberCursor {
  // Not private names: those cost twice as much to make, and several cursors are made for every message.
  private readonly bytes: Uint8Array;
  private readonly depth: number;
  private at: number;
  private fresh = true;
  private over = false;
  private keyStart = 0;
  private keyEnd = 0;
  /** Where the value of the member begins. */
  start = 0;

  /** @param depth how many levels the object may have. */
  constructor(bytes: Uint8Array, at: number, depth: number) {
    this.bytes = bytes;
    this.depth = depth;
    this.at = bytes[at] === OPEN_BRACE && depth > 0 ? at + 1 : NOWHERE;
  }

  /** After the object, once all members were visited; NOWHERE when it is no object that can be read. */
  get after(): number {
    return this.over ? this.at : NOWHERE;
  }

  /** Moves to the next member. False when there is none: `after` says why. */
  next(): boolean {
    if (this.at === NOWHERE || this.over) return false;
    const bytes = this.bytes;
    let at = skipSpace(bytes, this.at);
    if (bytes[at] === CLOSE_BRACE) {
      this.over = true;
      this.at = at + 1;
      return false;
    }
    if (!this.fresh) {
      if (bytes[at] !== COMMA) return this.fail();
      at = skipSpace(bytes, at + 1);
    }
    this.fresh = false;
    return this.readKey(at);
  }

  get name(): string {
    return Buffer.from(
      this.bytes.buffer,
      this.bytes.byteOffset + this.keyStart,
      this.keyEnd - this.keyStart,
    ).toString();
  }

  /** Is this the name of the member? */
  isNamed(name: string): boolean {
    const start = this.keyStart;
    if (this.keyEnd - start !== name.length) return false;
    for (let index = 0; index < name.length; index += 1) {
      if (this.bytes[start + index] !== name.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Passes the value; the position after it. */
  take(): number {
    this.at = skipValue(this.bytes, this.start, this.depth - 1);
    return this.at;
  }

  /** How many levels the value may have. */
  get levels(): number {
    return this.depth - 1;
  }

  /** Goes on at this position, which somebody found after the value. */
  goOn(at: number): void {
    this.at = at;
  }

  /** A cursor through the value, which must be an object. When it is through, `leave` goes on after it. */
  enter(): MemberCursor {
    return new MemberCursor(this.bytes, this.start, this.depth - 1);
  }

  leave(inner: MemberCursor): void {
    this.at = inner.after;
  }

  private readKey(at: number): boolean {
    const end = skipString(this.bytes, at);
    const start = skipColon(this.bytes, end);
    // A name that is written with escapes may mean any other.
    if (start === NOWHERE || this.hasEscape(at, end)) return this.fail();
    this.keyStart = at + 1;
    this.keyEnd = end - 1;
    this.start = start;
    return true;
  }

  private hasEscape(from: number, to: number): boolean {
    for (let at = from; at < to; at += 1) if (this.bytes[at] === BACKSLASH) return true;
    return false;
  }

  private fail(): false {
    this.at = NOWHERE;
    return false;
  }
}
