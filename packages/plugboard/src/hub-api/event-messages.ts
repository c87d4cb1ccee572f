import { tryJson } from '@plugboard/base';
import { SseReader } from '@plugboard/wire';

/** The messages of an event stream, each as soon as it has come. Data that is no JSON is passed over. */
export async function* eventMessages(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  let come: unknown[] = [];
  const events = new SseReader({
    onEvent: ({ data }) => {
      const message = tryJson(data);
      if (message !== undefined) come.push(message);
    },
  });
  for await (const chunk of body) {
    events.push(chunk);
    const messages = come;
    come = [];
    yield* messages;
  }
}

const isAnswer = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && ('result' in message || 'error' in message);

/** The answer in an event stream: notifications may come before it. */
export const eventStreamAnswer = async (body: AsyncIterable<Uint8Array>): Promise<unknown> => {
  let answer: unknown;
  for await (const message of eventMessages(body)) if (isAnswer(message)) answer = message;
  return answer;
};
