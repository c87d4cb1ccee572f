import type { Readable } from 'node:stream';
import { LineSplitter } from '@plugboard/wire';
import { StdioProxy, type StdioProxyOptions } from './stdio-proxy.js';

export interface RunProxyOptions extends StdioProxyOptions {
  readonly input: Readable;
  readonly signal: AbortSignal;
}

/** Serves the client at the other end of two pipes with a running hub, until the input ends or the signal aborts. */
export const runProxy = async ({ input, signal, ...options }: RunProxyOptions): Promise<void> => {
  const proxy = new StdioProxy(options);
  const splitter = new LineSplitter({ onLine: (line) => proxy.line(line) });
  const onData = (chunk: Buffer): void => splitter.push(chunk);
  const ended = new Promise<void>((resolve) => {
    input
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  input.on('data', onData);
  try {
    await ended;
    if (!signal.aborted) splitter.end();
  } finally {
    input.off('data', onData);
    await proxy.close();
  }
};
