/** An ArrayBuffer that can be resized; the library types of the oldest supported Node do not know it. */
export interface ResizableArrayBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}

export const Resizable = ArrayBuffer as unknown as new (
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
  // What was moved to another thread is empty here, and cannot be resized.
  if (buffer.byteLength > 0 && 'resizable' in buffer && buffer.resizable === true) {
    (buffer as unknown as ResizableArrayBuffer).resize(0);
  }
};
