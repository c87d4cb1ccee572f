import { expect, onTestFinished } from 'vitest';

export interface OpenStream {
  readonly status: number;
  /** Everything that came until now. */
  readonly text: () => string;
  /** Resolves when this text has come. */
  readonly has: (text: string) => Promise<void>;
  /** Resolves when the other side has ended it. */
  readonly ended: () => Promise<void>;
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

/** Reads a stream that does not end by itself, until it is closed or the test is over. */
export const openStream = async (open: (signal: AbortSignal) => Promise<Response>): Promise<OpenStream> => {
  const stop = new AbortController();
  const close = (): void => stop.abort();
  onTestFinished(close);
  const response = await open(stop.signal);
  let text = '';
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  let isOpen = true;
  const reading = read()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
    });
  return {
    status: response.status,
    text: () => text,
    has: async (wanted) => {
      await expect.poll(() => text, { timeout: 15_000, interval: 20 }).toContain(wanted);
    },
    isOpen: () => isOpen,
    ended: () => reading,
    close,
  };
};
