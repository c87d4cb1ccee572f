import { CR, LF } from './http1-bytes.js';
import type { Http1Request } from './http1-handler.js';

const END = Uint8Array.of(CR, LF, CR, LF);

const digitsIn = (value: number): number => {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  return digits;
};

/** A larger body is not copied: that takes longer than a write of its own. */
const COPIED_BYTES = 64 * 1024;

/** Writes a request in one piece, or its head alone. Most have the head of the one before, whose bytes are copied. */
export class RequestWriter {
  private head = '';
  private headBytes = Buffer.alloc(0);

  /** The bytes of the request. A large body is left out: it follows as it is. */
  write({ head, body }: Http1Request): Buffer {
    if (head !== this.head || this.headBytes.length === 0) {
      this.head = head;
      this.headBytes = Buffer.from(`${head}content-length: `, 'latin1');
    }
    const { headBytes } = this;
    const lengthEnd = headBytes.length + digitsIn(body.length);
    const copied = body.length > COPIED_BYTES ? 0 : body.length;
    const bytes = Buffer.allocUnsafe(lengthEnd + END.length + copied);
    bytes.set(headBytes);
    for (let at = lengthEnd - 1, rest = body.length; at >= headBytes.length; at -= 1) {
      bytes[at] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    bytes.set(END, lengthEnd);
    if (copied > 0) bytes.set(body, lengthEnd + END.length);
    return bytes;
  }

  /** Does the body follow what `write` gave? */
  leavesOut({ body }: Http1Request): boolean {
    return body.length > COPIED_BYTES;
  }
}
