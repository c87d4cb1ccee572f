import type { Message } from '../conversation/message.js';

const KEPT_CHARACTERS = 200;

/** The conversation with only the beginning of each tool result, for a context window that is full. */
export const shortenResults = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => {
    if (message.role !== 'tool') return message;
    return {
      role: 'tool',
      results: message.results.map((result) => {
        if (result.text.length <= KEPT_CHARACTERS && result.media.length === 0) return result;
        const text = `${result.text.slice(0, KEPT_CHARACTERS)}\n[The rest of the result was removed: the conversation is too long.]`;
        return { ...result, text, media: [] };
      }),
    };
  });
