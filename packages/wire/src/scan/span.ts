/** A piece of a byte array. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A piece with what shall stand in its place. */
export type Edit = Span & { readonly text: string };

const FIRST_BEYOND_ASCII = 0x80;
/** Up to here a loop is faster than a call into the runtime. */
const SMALL = 64;

const isAscii = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) >= FIRST_BEYOND_ASCII) return false;
  }
  return true;
};

const lengthOf = (text: string): number =>
  text.length <= SMALL && isAscii(text) ? text.length : Buffer.byteLength(text);

/** Writes the text and says where it ends; `length` is its length in bytes. */
const put = (target: Buffer, at: number, text: string, length: number): number => {
  if (length !== text.length || length > SMALL) return at + target.write(text, at);
  for (let index = 0; index < length; index += 1) target[at + index] = text.charCodeAt(index);
  return at + length;
};

const copy = (bytes: Buffer, { start, end }: Span, target: Buffer, at: number): number => {
  if (end - start > SMALL) return at + bytes.copy(target, at, start, end);
  for (let index = start; index < end; index += 1) target[at + index - start] = bytes[index] ?? 0;
  return at + end - start;
};

/** The bytes with some pieces replaced. The edits must be in order and must not overlap. */
export const splice = (bytes: Buffer, edits: readonly Edit[]): Buffer => {
  let length = bytes.length;
  for (const { start, end, text } of edits) length += lengthOf(text) - (end - start);
  const spliced = Buffer.allocUnsafe(length);
  let [from, to] = [0, 0];
  for (const { start, end, text } of edits) {
    to = copy(bytes, { start: from, end: start }, spliced, to);
    to = put(spliced, to, text, lengthOf(text));
    from = end;
  }
  copy(bytes, { start: from, end: bytes.length }, spliced, to);
  return spliced;
};

/** Do these bytes say just that? */
export const isText = (bytes: Uint8Array, { start, end }: Span, text: string): boolean => {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
};
