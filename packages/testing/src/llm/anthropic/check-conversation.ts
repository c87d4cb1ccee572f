import type { JsonObject } from '../../json-rpc/message.js';
import { refuse } from '../script/refusal.js';
import { objectsIn, textIn } from '../wire/json-view.js';

const blocksOf = ({ content }: JsonObject): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);

/** Consecutive messages of one role count as one. */
const turnsOf = (messages: readonly JsonObject[]): readonly { role: string; blocks: readonly JsonObject[] }[] => {
  const turns: { role: string; blocks: readonly JsonObject[] }[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const role = textIn(message['role']);
    if (last?.role === role) last.blocks = [...last.blocks, ...blocksOf(message)];
    else turns.push({ role, blocks: blocksOf(message) });
  }
  return turns;
};

const checkTexts = (messages: readonly JsonObject[]): void => {
  for (const [at, message] of messages.entries()) {
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant') {
      refuse(`messages: Unexpected role "${String(role)}". The Messages API accepts a top-level \`system\` parameter.`);
    }
    const isPrefill = at === messages.length - 1 && role === 'assistant';
    const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
    if (content === undefined || content === null) refuse(`messages.${at}.content: Field required`);
    if (isEmpty && !isPrefill) {
      refuse(
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    const blocks = blocksOf(message).filter(({ type }) => type === 'text');
    if (typeof content !== 'string' && blocks.some(({ text }) => text === '')) {
      refuse('messages: text content blocks must be non-empty');
    }
    if (blocks.some(({ text }) => textIn(text) !== '' && textIn(text).trim() === '') && !isPrefill) {
      refuse('messages: text content blocks must contain non-whitespace text');
    }
    const lastBlock = blocksOf(message).at(-1);
    if (isPrefill && lastBlock?.['type'] === 'text' && /\s$/u.test(textIn(lastBlock['text']))) {
      refuse('messages: final assistant content cannot end with trailing whitespace');
    }
  }
};

const idsOf = (blocks: readonly JsonObject[], type: string, key: string): readonly string[] =>
  blocks.filter((block) => block['type'] === type).map((block) => textIn(block[key]));

const checkTools = (messages: readonly JsonObject[]): void => {
  const turns = turnsOf(messages);
  for (const [at, { blocks }] of turns.entries()) {
    const uses = idsOf(turns[at - 1]?.blocks ?? [], 'tool_use', 'id');
    const results = idsOf(blocks, 'tool_result', 'tool_use_id');
    const unanswered = uses.find((id) => !results.includes(id));
    if (unanswered !== undefined) {
      refuse(
        `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered}`,
      );
    }
    const stray = results.find((id) => !uses.includes(id));
    if (stray !== undefined) {
      refuse(`messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`);
    }
    if (new Set(results).size < results.length) {
      refuse(`messages.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks`);
    }
  }
  if (idsOf(turns.at(-1)?.blocks ?? [], 'tool_use', 'id').length > 0) {
    refuse('messages: `tool_use` ids were found without `tool_result` blocks immediately after');
  }
};

/** What Anthropic demands of the messages of a request. */
export const checkConversation = (messages: readonly JsonObject[]): void => {
  if (messages.length === 0) refuse('messages: at least one message is required');
  checkTexts(messages);
  if (messages[0]?.['role'] !== 'user') refuse('messages: first message must use the "user" role');
  checkTools(messages);
};

/** The texts of tool results in the last message. */
export const lastResults = (messages: readonly JsonObject[]): readonly string[] =>
  (turnsOf(messages).at(-1)?.blocks ?? [])
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : objectsIn(content)
            .map(({ text }) => textIn(text))
            .join(''),
    );
