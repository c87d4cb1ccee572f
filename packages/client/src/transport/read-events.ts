import { SseReader, type SseEvent } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';
import type { HttpAnswer } from './http-channel.js';
import { readChunks } from './read-body.js';
import type { Pace } from './transport.js';

export interface EventReading {
  readonly signal: AbortSignal;
  readonly host: string;
  readonly onEvent: (event: SseEvent) => void;
  readonly onRetry?: ((milliseconds: number) => void) | undefined;
  readonly onActivity?: (() => void) | undefined;
  readonly pace?: Pace | undefined;
}

/** Reads an event stream to its end. */
export const readEvents = async (answer: HttpAnswer, reading: EventReading): Promise<void> => {
  const reader = new SseReader({
    onEvent: reading.onEvent,
    onRetry: reading.onRetry,
    onOversize: () => {
      throw new McpProtocolError('UPSTREAM_PROTOCOL', `${reading.host} sent an event that is too large.`, {
        delivery: 'ambiguous',
      });
    },
  });
  await readChunks(answer, {
    signal: reading.signal,
    host: reading.host,
    pace: reading.pace,
    onChunk: (chunk) => {
      reading.onActivity?.();
      reader.push(chunk);
    },
  });
};
