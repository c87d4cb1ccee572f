import type {
  AssistantMessage,
  Message,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from '../../conversation/message.js';
import type { ModelRequest, ToolChoice } from '../../conversation/model-request.js';
import { tidyMessages } from '../../conversation/tidy-messages.js';
import { wellFormed, wellFormedValue } from '../../conversation/well-formed.js';
import { cannotShow } from './chat-media.js';
import { formatOf } from './chat-request.js';
import type { OpenAiDialect } from './openai-client.js';

const userItem = ({ content }: UserMessage): object => ({
  role: 'user',
  content: content.map((part) => {
    if (part.type === 'text') return { type: 'input_text', text: part.text };
    if (part.type === 'audio') return { type: 'input_text', text: cannotShow(part.mimeType) };
    return { type: 'input_image', image_url: `data:${part.mimeType};base64,${part.data}`, detail: 'auto' };
  }),
});

const assistantItems = ({ content }: AssistantMessage): readonly object[] =>
  content.flatMap((part): readonly object[] => {
    switch (part.type) {
      case 'text':
        return [{ role: 'assistant', content: part.text }];
      case 'tool-call':
        return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments || '{}' }];
      case 'thinking':
        return part.opaque?.provider === 'openai-responses' ? [part.opaque.value as object] : [];
    }
  });

const outputOf = ({ text, isError, media }: ToolResultPart): unknown => {
  const told = isError ? `Error: ${text}` : text;
  if (media.length === 0) return told;
  return [
    { type: 'input_text', text: told },
    ...media.map(({ type, data, mimeType }) =>
      type === 'image'
        ? { type: 'input_image', image_url: `data:${mimeType};base64,${data}`, detail: 'auto' }
        : { type: 'input_text', text: cannotShow(mimeType) },
    ),
  ];
};

const outputItems = ({ results }: ToolMessage): readonly object[] =>
  results.map((result) => ({ type: 'function_call_output', call_id: result.callId, output: outputOf(result) }));

const itemsOf = (message: Message): readonly object[] => {
  switch (message.role) {
    case 'user':
      return [userItem(message)];
    case 'assistant':
      return assistantItems(message);
    case 'tool':
      return outputItems(message);
  }
};

const choiceOf = (choice: ToolChoice): unknown =>
  typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };

const toolMembers = ({ tools = [], toolChoice, parallelToolCalls }: ModelRequest): object => {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema, strict }) => ({
      type: 'function',
      name,
      ...(description === undefined ? {} : { description: wellFormed(description) }),
      parameters: wellFormedValue(inputSchema),
      // This API is strict unless it is told otherwise.
      strict: strict === true,
    })),
    ...(toolChoice === undefined ? {} : { tool_choice: choiceOf(toolChoice) }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
};

const LEAST_TOKENS = 16;

/** The body of a request to Responses. Nothing is stored at the provider, so thoughts travel encrypted. */
export const responsesRequest = (request: ModelRequest, { features }: OpenAiDialect): Record<string, unknown> => {
  const { model, system, maxTokens, temperature, thinking, output, cache } = request;
  const { reasoning, longCache } = features(model);
  return {
    model,
    input: tidyMessages(request.messages).flatMap(itemsOf),
    store: false,
    ...(system === undefined || system.trim() === '' ? {} : { instructions: wellFormed(system) }),
    ...toolMembers(request),
    ...(maxTokens === undefined ? {} : { max_output_tokens: Math.max(LEAST_TOKENS, maxTokens) }),
    ...(temperature === undefined || reasoning ? {} : { temperature }),
    ...(reasoning
      ? {
          include: ['reasoning.encrypted_content'],
          reasoning: { summary: 'detailed', ...(thinking?.effort === undefined ? {} : { effort: thinking.effort }) },
        }
      : {}),
    ...(output === undefined ? {} : { text: { format: { type: 'json_schema', ...formatOf(output) } } }),
    ...(cache === true && longCache ? { prompt_cache_retention: '24h' } : {}),
  };
};

const COUNTED: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'text',
]);

/** The body of a request that counts tokens: what the model reads. */
export const responsesCount = (request: ModelRequest, dialect: OpenAiDialect): Record<string, unknown> =>
  Object.fromEntries(Object.entries(responsesRequest(request, dialect)).filter(([name]) => COUNTED.has(name)));
