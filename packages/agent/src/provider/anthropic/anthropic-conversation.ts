import type { Message } from '../../conversation/message.js';
import { tidyMessages } from '../../conversation/tidy-messages.js';
import { alternate, OPENING } from '../alternate.js';
import { type Block, type Turn, turnOf } from './anthropic-blocks.js';

/** A beginning of the answer must not end with white space, nor with a thought. */
const prefill = ({ role, content }: Turn): Turn => {
  const said = content.filter(({ type }) => type === 'text');
  return {
    role,
    content: said.map((block, at): Block =>
      at === said.length - 1 ? { ...block, text: String(block['text']).trimEnd() } : block,
    ),
  };
};

/** The messages as Anthropic accepts them: the user begins, and neighbours of one role are one message. */
export const anthropicConversation = (messages: readonly Message[]): readonly Turn[] => {
  const turns = alternate(tidyMessages(messages).map(turnOf));
  const opened =
    turns[0]?.role === 'assistant'
      ? [{ role: 'user' as const, content: [{ type: 'text', text: OPENING }] }, ...turns]
      : turns;
  const last = opened.at(-1);
  return last?.role === 'assistant' ? [...opened.slice(0, -1), prefill(last)] : opened;
};
