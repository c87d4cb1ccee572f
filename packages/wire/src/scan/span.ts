/** A piece of a byte array. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The bytes with some pieces replaced. The edits must be in order and must not overlap. */
export const splice = (bytes: Buffer, edits: readonly (Span & { readonly text: string })[]): Buffer => {
  let length = bytes.length;
  for (const { start, end, text } of edits) length += Buffer.byteLength(text) - (end - start);
  const spliced = Buffer.allocUnsafe(length);
  let [from, to] = [0, 0];
  for (const { start, end, text } of edits) {
    to += bytes.copy(spliced, to, from, start);
    to += spliced.write(text, to);
    from = end;
  }
  bytes.copy(spliced, to, from);
  return spliced;
};
