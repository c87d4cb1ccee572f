import { SseReader } from '@plugboard/wire';
import { unknownFate } from './unknown-fate.js';

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

export interface AnswerReading {
  /** Each message, as the text that came. */
  readonly onMessage: (text: string) => void;
  /** The id to come back with when a stream breaks. */
  readonly onEventId?: ((id: string) => void) | undefined;
  /** Undefined while the client keeps up; else nothing more is read before it settles. */
  readonly pace: () => Promise<void> | undefined;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/** Gives the body on as it comes, as long as it is wanted. */
const readChunks = async (
  { body }: Response,
  { pace, signal }: AnswerReading,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> => {
  if (body === null) return;
  const reader = body.getReader();
  let goOn = (): void => undefined;
  // The signal of `fetch` itself is not enough: it is forgotten when the response is collected before its body is read.
  const hangUp = (): void => {
    reader.cancel().catch(() => undefined);
    goOn();
  };
  signal.addEventListener('abort', hangUp);
  try {
    while (!signal.aborted) {
      const waiting = pace();
      if (waiting !== undefined) {
        const stopped = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await Promise.race([waiting, stopped]);
        continue;
      }
      const { done, value } = await reader.read().catch(() => {
        throw unknownFate();
      });
      if (done) return;
      onChunk(value);
    }
  } finally {
    signal.removeEventListener('abort', hangUp);
    // A reader that could not use a part has no use for the rest.
    reader.cancel().catch(() => undefined);
  }
};

const readMessage = async (response: Response, reading: AnswerReading): Promise<void> => {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  await readChunks(response, reading, (chunk) => parts.push(decoder.decode(chunk, { stream: true })));
  const text = parts.join('') + decoder.decode();
  if (text.trim() !== '' && !reading.signal.aborted) reading.onMessage(text);
};

/** Reads the messages of an answer as the client takes them: one body of JSON, or a stream of events. */
export const readAnswer = async (response: Response, reading: AnswerReading): Promise<void> => {
  if (!isStream(response)) {
    await readMessage(response, reading);
    return;
  }
  const { onMessage, onEventId } = reading;
  const events = new SseReader({
    onEvent: ({ data, id }) => {
      if (id !== undefined && id !== '') onEventId?.(id);
      if (data !== '') onMessage(data);
    },
  });
  await readChunks(response, reading, (chunk) => events.push(chunk));
};
