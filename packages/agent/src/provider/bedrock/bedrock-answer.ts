import type { AssistantPart, ThinkingPart } from '../../conversation/message.js';
import {
  type Finish,
  finishFrom,
  type FinishKind,
  type ModelAnswer,
  type Usage,
  usageFrom,
} from '../../conversation/model-answer.js';
import { type Members, membersOf, objectsIn, stringOf } from '../wire-json.js';

const KINDS: Readonly<Record<string, FinishKind>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool-calls',
  content_filtered: 'content-filter',
  guardrail_intervened: 'content-filter',
  model_context_window_exceeded: 'context-window',
};

export const bedrockFinish = (raw: unknown): Finish => finishFrom(KINDS, raw);

/** Bedrock counts what came from the cache apart, as Anthropic does. */
export const bedrockUsage = (value: unknown): Usage => {
  const usage = membersOf(value);
  const { inputTokens, cacheReadInputTokens: cached, cacheWriteInputTokens: written } = usage;
  const beside = [cached, written].reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0);
  return usageFrom({
    input: typeof inputTokens === 'number' ? inputTokens + beside : undefined,
    output: usage['outputTokens'],
    cachedInput: cached,
    cacheWrite: written,
  });
};

const OPAQUE = 'bedrock';

/** Thoughts that the provider hides are bytes. A conversation is JSON, so they are kept as Base64. */
export const keptThought = (block: Members): NonNullable<ThinkingPart['opaque']> => {
  const { redactedContent } = membersOf(block['reasoningContent']);
  if (!(redactedContent instanceof Uint8Array)) return { provider: OPAQUE, value: block };
  const text = Buffer.from(redactedContent).toString('base64');
  return { provider: OPAQUE, value: { reasoningContent: { redactedContent: text } } };
};

/** The block as the SDK reads it; undefined for thoughts of another provider. */
export const givenThought = ({ opaque }: ThinkingPart): Members | undefined => {
  if (opaque?.provider !== OPAQUE) return undefined;
  const block = membersOf(opaque.value);
  const { redactedContent } = membersOf(block['reasoningContent']);
  if (typeof redactedContent !== 'string') return block;
  return { reasoningContent: { redactedContent: new Uint8Array(Buffer.from(redactedContent, 'base64')) } };
};

const partOf = (block: Members): readonly AssistantPart[] => {
  if (typeof block['text'] === 'string') return [{ type: 'text', text: block['text'] }];
  if (block['reasoningContent'] !== undefined) {
    const reasoning = membersOf(membersOf(block['reasoningContent'])['reasoningText']);
    return [{ type: 'thinking', text: stringOf(reasoning['text']), opaque: keptThought(block) }];
  }
  if (block['toolUse'] === undefined) return [];
  const use = membersOf(block['toolUse']);
  return [
    {
      type: 'tool-call',
      id: stringOf(use['toolUseId']),
      name: stringOf(use['name']),
      arguments: JSON.stringify(use['input'] ?? {}),
    },
  ];
};

/** A whole answer of Converse. */
export const bedrockAnswer = (body: unknown, model: string): ModelAnswer => {
  const { output, stopReason, usage } = membersOf(body);
  const { content } = membersOf(membersOf(output)['message']);
  return {
    id: null,
    model,
    content: objectsIn(content)
      .flatMap(partOf)
      .filter((part) => part.type !== 'text' || part.text !== ''),
    finish: bedrockFinish(stopReason),
    usage: bedrockUsage(usage),
  };
};
