import { McpClientError } from '../error/client-error.js';
import { McpProtocolError } from '../error/error-family.js';
import { abortedError } from '../error/aborted-error.js';
import { networkError } from '../error/network-error.js';
import type { HttpAnswer } from './http-channel.js';

export const MAX_BODY_BYTES = 64 * 1024 * 1024;

export interface BodyReading {
  readonly signal: AbortSignal;
  readonly host: string;
  readonly onChunk: (chunk: Buffer) => void;
}

/** Reads a body chunk by chunk. A cut in the middle leaves it open what the server did. */
export const readChunks = async (answer: HttpAnswer, reading: BodyReading): Promise<void> => {
  const onAbort = (): void => {
    answer.body.destroy();
  };
  reading.signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (reading.signal.aborted) {
      onAbort();
    }
    for await (const chunk of answer.body) {
      reading.onChunk(chunk as Buffer);
    }
  } catch (thrown) {
    if (reading.signal.aborted) {
      throw abortedError(reading.signal, 'ambiguous');
    }
    throw thrown instanceof McpClientError
      ? thrown
      : networkError(thrown, reading.host).with({ delivery: 'ambiguous' });
  } finally {
    reading.signal.removeEventListener('abort', onAbort);
    answer.body.destroy();
  }
  if (reading.signal.aborted) {
    throw abortedError(reading.signal, 'ambiguous');
  }
};

/** The whole body as text, up to a bound. */
export const readText = async (
  answer: HttpAnswer,
  reading: Omit<BodyReading, 'onChunk'> & { readonly onActivity?: (() => void) | undefined },
): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  await readChunks(answer, {
    ...reading,
    onChunk: (chunk) => {
      reading.onActivity?.();
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        throw new McpProtocolError('UPSTREAM_PROTOCOL', `${reading.host} sent more than ${MAX_BODY_BYTES} bytes.`, {
          delivery: 'ambiguous',
        });
      }
      chunks.push(chunk);
    },
  });
  return Buffer.concat(chunks).toString('utf8');
};
