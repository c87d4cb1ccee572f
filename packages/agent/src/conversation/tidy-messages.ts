import { type AssistantMessage, callsOf, type Message, type ToolMessage, type ToolResultPart } from './message.js';
import { wellFormedValue } from './well-formed.js';

const isBlank = (part: { readonly type: string; readonly text?: unknown }): boolean =>
  part.type === 'text' && String(part.text).trim() === '';

const NOT_MADE = 'The call was not made.';

/** One result for each call: several for one call are joined, missing ones are added, others are dropped. */
const resultsFor = ({ content }: AssistantMessage, given: readonly ToolResultPart[]): ToolMessage => ({
  role: 'tool',
  results: callsOf(content).map(({ id, name }) => {
    const [first, ...more] = given.filter(({ callId }) => callId === id);
    if (first === undefined) return { callId: id, name, text: NOT_MADE, media: [], isError: true };
    return {
      ...first,
      text: [first, ...more].map(({ text }) => text).join('\n'),
      media: [first, ...more].flatMap(({ media }) => media),
    };
  }),
});

const resultsAfter = (messages: readonly Message[], at: number): readonly ToolResultPart[] => {
  const found: ToolResultPart[] = [];
  for (const message of messages.slice(at + 1)) {
    if (message.role !== 'tool') break;
    found.push(...message.results);
  }
  return found;
};

/**
 * A conversation that every provider accepts: no blank texts, no empty messages, no halves of characters, and exactly one
 * result for each call, right behind the message with the call.
 */
export const tidyMessages = (given: readonly Message[]): readonly Message[] => {
  const messages = wellFormedValue(given);
  return messages.flatMap((message, at): readonly Message[] => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') {
      const content = message.content.filter((part) => !isBlank(part));
      return content.length === 0 ? [] : [{ role: 'user', content }];
    }
    const content = message.content.filter((part) => !isBlank(part));
    // Thoughts alone are no message.
    if (!content.some(({ type }) => type !== 'thinking')) return [];
    const said: AssistantMessage = { role: 'assistant', content };
    return callsOf(content).length === 0 ? [said] : [said, resultsFor(said, resultsAfter(messages, at))];
  });
};
