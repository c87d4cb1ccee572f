import type { Effort, ModelRequest, ToolChoice } from '../../conversation/model-request.js';
import { wellFormed, wellFormedValue } from '../../conversation/well-formed.js';
import type { FeatureLookup, ModelFeatures } from '../feature/model-features.js';
import { withOutputTool } from '../output-tool.js';
import { type Block, type Turn, turnOf } from './anthropic-blocks.js';
import type { Message } from '../../conversation/message.js';
import { tidyMessages } from '../../conversation/tidy-messages.js';
import { alternate, OPENING } from '../alternate.js';

const MAX_TOKENS = 4096;
const LEAST_THINKING = 1024;
const BUDGETS: Readonly<Record<Effort, number>> = { low: LEAST_THINKING, medium: 4096, high: 16_384 };
const CACHED = { cache_control: { type: 'ephemeral' } };

const choiceOf = (choice: ToolChoice): Record<string, unknown> => {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
};

const thinkingOf = ({ thinking }: ModelRequest, features: ModelFeatures): Record<string, unknown> | undefined => {
  if (thinking === undefined || features.thinking === 'none') return undefined;
  if (features.thinking === 'adaptive') return { type: 'adaptive' };
  const budget = thinking.budgetTokens ?? BUDGETS[thinking.effort ?? 'medium'];
  return { type: 'enabled', budget_tokens: Math.max(LEAST_THINKING, budget) };
};

const toolMembers = (request: ModelRequest, thinks: boolean): object => {
  const { tools = [], toolChoice, parallelToolCalls, cache } = request;
  if (tools.length === 0) return {};
  // A model that thinks cannot be forced.
  const forced = toolChoice === 'required' || typeof toolChoice === 'object';
  const choice = toolChoice === undefined || (thinks && forced) ? 'auto' : toolChoice;
  const oneAtATime = parallelToolCalls === false && choice !== 'none' ? { disable_parallel_tool_use: true } : {};
  return {
    tools: tools.map(({ name, description, inputSchema, strict }, at) => ({
      name,
      ...(description === undefined ? {} : { description: wellFormed(description) }),
      input_schema: wellFormedValue(inputSchema),
      ...(strict === true ? { strict } : {}),
      ...(cache === true && at === tools.length - 1 ? CACHED : {}),
    })),
    ...(toolChoice === undefined && parallelToolCalls !== false
      ? {}
      : { tool_choice: { ...choiceOf(choice), ...oneAtATime } }),
  };
};

const UNCACHED: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

const cachedTurns = (turns: readonly Turn[]): readonly Turn[] =>
  turns.map((turn, at) => {
    const last = turn.content.at(-1);
    if (at < turns.length - 1 || last === undefined || UNCACHED.has(last.type)) return turn;
    return { ...turn, content: [...turn.content.slice(0, -1), { ...last, ...CACHED } satisfies Block] };
  });

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
const anthropicConversation = (messages: readonly Message[]): readonly Turn[] => {
  const turns = alternate(tidyMessages(messages).map(turnOf));
  const opened =
    turns[0]?.role === 'assistant'
      ? [{ role: 'user' as const, content: [{ type: 'text', text: OPENING }] }, ...turns]
      : turns;
  const last = opened.at(-1);
  return last?.role === 'assistant' ? [...opened.slice(0, -1), prefill(last)] : opened;
};

/** What counting and answering have in common. */
const sharedMembers = (request: ModelRequest, thinking: object | undefined, thinks: boolean) => {
  const { model, system, cache } = request;
  const turns = anthropicConversation(request.messages);
  // A model that thinks does not continue a text that was begun for it.
  const answerable =
    thinks && turns.at(-1)?.role === 'assistant'
      ? [...turns, { role: 'user' as const, content: [{ type: 'text', text: 'Continue.' }] }]
      : turns;
  return {
    model,
    messages: cache === true ? cachedTurns(answerable) : answerable,
    ...(system === undefined || system.trim() === ''
      ? {}
      : { system: [{ type: 'text', text: wellFormed(system), ...(cache === true ? CACHED : {}) }] }),
    ...toolMembers(request, thinks),
    ...(thinking === undefined ? {} : { thinking }),
  };
};

export interface AnthropicRequest {
  readonly body: Record<string, unknown>;
  readonly betas: readonly string[];
  /** Is the answer the call of a tool that takes it? */
  readonly usesOutputTool: boolean;
}

const BETA = {
  toolStreaming: 'fine-grained-tool-streaming-2025-05-14',
  interleaved: 'interleaved-thinking-2025-05-14',
  contextManagement: 'context-management-2025-06-27',
};

const OUTPUT_EFFORT = (request: ModelRequest, { effort }: ModelFeatures): object =>
  effort && request.thinking?.effort !== undefined ? { effort: request.thinking.effort } : {};

/** The body of a request to Messages, and the beta features that it needs. */
export const anthropicRequest = (given: ModelRequest, lookup: FeatureLookup, stream: boolean): AnthropicRequest => {
  const features = lookup(given.model);
  const thinking = thinkingOf(given, features);
  const thinks = thinking !== undefined || features.alwaysThinks;
  // Formats are always strict here: a schema that is not would be rejected.
  const usesOutputTool =
    given.output !== undefined && (features.structuredOutput === 'tool' || given.output.strict === false);
  const request = usesOutputTool ? withOutputTool(given, !thinks) : given;
  const { maxTokens = MAX_TOKENS, temperature, stop, clearOldToolResults, tools = [] } = request;
  const clears = clearOldToolResults === true && features.contextEditing;
  const budget = typeof thinking?.['budget_tokens'] === 'number' ? thinking['budget_tokens'] : 0;
  const outputConfig = {
    ...OUTPUT_EFFORT(request, features),
    ...(given.output !== undefined && !usesOutputTool
      ? { format: { type: 'json_schema', schema: wellFormedValue(given.output.schema) } }
      : {}),
  };
  return {
    body: {
      ...sharedMembers(request, thinking, thinks),
      // What is thought counts as well.
      max_tokens: maxTokens > budget ? maxTokens : maxTokens + budget,
      ...(temperature === undefined || thinks ? {} : { temperature: Math.min(1, temperature) }),
      ...(stop === undefined ? {} : { stop_sequences: [...stop] }),
      ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
      ...(clears ? { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } } : {}),
    },
    betas: [
      ...(stream && tools.length > 0 ? [BETA.toolStreaming] : []),
      ...(thinking?.['type'] === 'enabled' && tools.length > 0 ? [BETA.interleaved] : []),
      ...(clears ? [BETA.contextManagement] : []),
    ],
    usesOutputTool,
  };
};

/** The body of a request that counts tokens. */
export const anthropicCount = (request: ModelRequest, lookup: FeatureLookup): Record<string, unknown> => {
  const features = lookup(request.model);
  const thinking = thinkingOf(request, features);
  return sharedMembers(request, thinking, thinking !== undefined || features.alwaysThinks);
};
