import { ByteParts } from '@plugboard/base';
import type { Classified, RequestId } from '@plugboard/wire';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { ownBytes } from '../read-buffer/kept-bytes.js';
import type { HttpAnswer } from './http-channel.js';
import { messagesFrom } from './incoming-messages.js';
import { LARGE_ANSWER_BYTES, type LargeAnswer, type OpenLargeAnswer } from './large-answer.js';
import { type BodyReading, readBounded } from './read-body.js';

export interface AnswerReading extends Omit<BodyReading, 'onChunk'> {
  readonly id: RequestId;
  readonly onActivity?: (() => void) | undefined;
  readonly openLarge?: OpenLargeAnswer | undefined;
}

export interface AnswerMessages {
  readonly messages: readonly Classified[];
  readonly isEmpty: boolean;
}

const messagesOf = (body: Buffer, host: string): AnswerMessages => {
  const text = body.toString('utf8');
  return { messages: messagesFrom(host, text), isEmpty: text.trim() === '' };
};

/** The messages in a body of JSON. A large one is passed on in pieces to its reader. */
export const readAnswer = async (answer: HttpAnswer, reading: AnswerReading): Promise<AnswerMessages> => {
  const { id, host, signal, openLarge } = reading;
  if (answer.whole !== undefined) return messagesOf(answer.whole, host);
  const parts = new ByteParts();
  let size = 0;
  let large: LargeAnswer | undefined;
  // What is kept counts until it is read.
  using room = answer.room?.();
  try {
    await readBounded(answer, reading, room, (chunk) => {
      size += chunk.length;
      if (size > LARGE_ANSWER_BYTES && size - chunk.length <= LARGE_ANSWER_BYTES) {
        large = openLarge?.(id);
        for (const earlier of large === undefined ? [] : parts.take()) large?.push(earlier);
      }
      if (large === undefined) parts.push(ownBytes(chunk));
      else large.push(chunk);
    });
    if (large !== undefined) {
      return { messages: await waitWithSignal(large.finish(), signal, 'ambiguous'), isEmpty: false };
    }
    return messagesOf(Buffer.concat(parts.take()), host);
  } finally {
    large?.[Symbol.dispose]();
  }
};
