/** An ArrayBuffer that can be resized; the library types of the oldest supported Node do not know it. */
interface ResizableArrayBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}

const Resizable = ArrayBuffer as unknown as new (
  bytes: number,
  options: { readonly maxByteLength: number },
) => ResizableArrayBuffer;

/**
 * Memory for large bytes, filled with zeros. V8 takes it from the system in whole pages and gives it back in whole pages.
 * Other buffers come from the allocator of the C library, which keeps what thousands of them leave behind.
 */
export const pageBytes = (bytes: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new Resizable(bytes, { maxByteLength: bytes }), 0, bytes);

/** Gives memory from `pageBytes` back before it is garbage. Nobody may use it any more. */
export const releasePageBytes = ({ buffer }: Uint8Array): void => {
  if ('resizable' in buffer && buffer.resizable === true) (buffer as unknown as ResizableArrayBuffer).resize(0);
};

/** All pieces one after the other, in memory from `pageBytes`. */
export const joinInPages = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = pageBytes(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
};
