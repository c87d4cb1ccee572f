import { ByteParts } from './byte-parts.js';

export interface CollectOptions {
  readonly maxBytes: number;
  /** What is thrown as soon as there is more. Nothing of it is kept. */
  readonly tooLarge: (maxBytes: number) => unknown;
  /** Told of each chunk before it is kept; may throw. */
  readonly onChunk?: ((bytes: number) => void) | undefined;
}

/** The whole of a stream of bytes: a body of Node or of fetch. It is closed when there is too much. */
export const collectBytes = async (
  chunks: AsyncIterable<Uint8Array> | null | undefined,
  { maxBytes, tooLarge, onChunk }: CollectOptions,
): Promise<Buffer> => {
  const kept = new ByteParts();
  let size = 0;
  for await (const chunk of chunks ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    onChunk?.(chunk.byteLength);
    kept.push(chunk);
  }
  return Buffer.concat(kept.take(), size);
};
