import { SseReader } from '@plugboard/wire';

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

export interface AnswerReading {
  /** Each message, as the text that came. */
  readonly onMessage: (text: string) => void;
  /** The id to come back with when a stream breaks. */
  readonly onEventId?: ((id: string) => void) | undefined;
}

/** Reads the messages of an answer as they come: one body of JSON, or a stream of events. */
export const readAnswer = async (response: Response, { onMessage, onEventId }: AnswerReading): Promise<void> => {
  if (!isStream(response)) {
    const text = await response.text();
    if (text.trim() !== '') onMessage(text);
    return;
  }
  const reader = new SseReader({
    onEvent: ({ data, id }) => {
      if (id !== undefined && id !== '') onEventId?.(id);
      if (data !== '') onMessage(data);
    },
  });
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) reader.push(chunk);
};
