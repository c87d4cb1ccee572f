import type { InputStream } from '../../process/process-context.js';

/** Everything on standard input until it ends. */
export const readStdin = async (stdin: InputStream, signal: AbortSignal): Promise<string> => {
  const { stream } = stdin;
  const stop = (): void => void stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer | string>) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

/** Resolves to whether anything (the end included) arrives within the time. Nothing is consumed. */
export const arrives = async (stdin: InputStream, withinMs: number): Promise<boolean> => {
  const { stream } = stdin;
  if (stream.readableLength > 0 || stream.readableEnded) return true;
  return new Promise<boolean>((resolve) => {
    const settle = (arrived: boolean) => (): void => {
      clearTimeout(timer);
      stream.off('readable', onReadable);
      stream.off('end', onReadable);
      resolve(arrived);
    };
    const onReadable = settle(true);
    const timer = setTimeout(settle(false), withinMs);
    stream.once('readable', onReadable);
    stream.once('end', onReadable);
  });
};
