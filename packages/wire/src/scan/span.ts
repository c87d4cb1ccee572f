/** A piece of a byte array. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The bytes with some pieces replaced. The edits must be in order and must not overlap. */
export const splice = (bytes: Uint8Array, edits: readonly (Span & { readonly text: string })[]): Buffer => {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    parts.push(bytes.subarray(from, start), Buffer.from(text));
    from = end;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
};
