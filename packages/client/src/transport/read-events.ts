import { DEFAULT_MAX_EVENT_CHARS, SseReader, type SseEvent } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';
import type { HttpAnswer } from './http-channel.js';
import { readChunks, requireRoom } from './read-body.js';
import type { Pace } from './transport.js';

export interface EventReading {
  readonly signal: AbortSignal;
  readonly host: string;
  readonly onEvent: (event: SseEvent) => void;
  readonly onRetry?: ((milliseconds: number) => void) | undefined;
  readonly onActivity?: (() => void) | undefined;
  readonly pace?: Pace | undefined;
}

/** Servers may ask for any pause. One that no timer can wait for would be none. */
const MAX_RETRY_MS = 60_000;

/** So much of a stream is read before others have their turn: a megabyte can have half a million lines. */
const BYTES_PER_TURN = 64 * 1024;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads an event stream to its end. */
export const readEvents = async (answer: HttpAnswer, reading: EventReading): Promise<void> => {
  using room = answer.room?.();
  let kept = 0;
  let inTurn = 0;
  const reader = new SseReader({
    onEvent: (event) => {
      room?.shrink(kept);
      kept = 0;
      reading.onEvent(event);
    },
    onRetry: (ms) => reading.onRetry?.(Math.min(ms, MAX_RETRY_MS)),
    onOversize: () => {
      throw new McpProtocolError(
        'UPSTREAM_PROTOCOL',
        `${reading.host} sent an event of more than ${DEFAULT_MAX_EVENT_CHARS / 1024 / 1024} MiB.`,
        {
          hint: 'Request less data, or a part of it.',
          delivery: 'answered',
        },
      );
    },
  });
  await readChunks(answer, {
    signal: reading.signal,
    host: reading.host,
    pace: () => {
      if (inTurn < BYTES_PER_TURN) return reading.pace?.();
      inTurn = 0;
      return reading.pace?.() ?? nextTurn();
    },
    onChunk: (chunk) => {
      inTurn += chunk.length;
      reading.onActivity?.();
      requireRoom(room, chunk.length, reading.host);
      kept += chunk.length;
      reader.push(chunk);
    },
  });
};
