import type { AssistantMessage, Message, ToolMessage, UserPart } from '../../conversation/message.js';
import { callsOf, textOf } from '../../conversation/message.js';
import type { ModelRequest, OutputFormat, ToolChoice } from '../../conversation/model-request.js';
import { tidyMessages } from '../../conversation/tidy-messages.js';
import { wellFormed, wellFormedValue } from '../../conversation/well-formed.js';
import { mediaPart } from './chat-media.js';
import type { OpenAiDialect } from './openai-client.js';

const userContent = (parts: readonly UserPart[]): unknown =>
  parts.every(({ type }) => type === 'text')
    ? textOf(parts)
    : parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : mediaPart(part)));

/** Some compatible endpoints reject a content that is null. */
const assistantMessage = ({ content }: AssistantMessage, genuine: boolean): object => {
  const calls = callsOf(content);
  const text = textOf(content);
  return {
    role: 'assistant',
    content: text === '' && genuine ? null : text,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args === '' ? '{}' : args },
          })),
        }),
  };
};

/** Results are texts; pictures and sounds follow in a message of the user. */
const toolMessages = ({ results }: ToolMessage): readonly object[] => {
  const media = results.flatMap((result) => result.media.map(mediaPart));
  const told = results.map(({ callId, text, isError }) => ({
    role: 'tool',
    tool_call_id: callId,
    content: isError ? `Error: ${text}` : text,
  }));
  if (media.length === 0) return told;
  return [...told, { role: 'user', content: [{ type: 'text', text: 'The media of the tool results:' }, ...media] }];
};

const messageOf = (message: Message, genuine: boolean): readonly object[] => {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }];
    case 'assistant':
      return [assistantMessage(message, genuine)];
    case 'tool':
      return toolMessages(message);
  }
};

const choiceOf = (choice: ToolChoice): unknown =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };

export const formatOf = ({ name, schema, strict }: OutputFormat) => ({
  name: name ?? 'response_schema',
  schema: wellFormedValue(schema),
  strict: strict ?? true,
});

const toolMembers = ({ tools = [], toolChoice, parallelToolCalls }: ModelRequest, reasoning: boolean): object => {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description === undefined ? {} : { description: wellFormed(description) }),
        parameters: wellFormedValue(inputSchema),
        ...(strict === true ? { strict } : {}),
      },
    })),
    ...(toolChoice === undefined ? {} : { tool_choice: choiceOf(toolChoice) }),
    // Reasoning models do not have this parameter.
    ...(parallelToolCalls === undefined || reasoning ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
};

/** The body of a request to Chat Completions. */
export const chatRequest = (request: ModelRequest, { genuine, features }: OpenAiDialect): Record<string, unknown> => {
  const { model, system, maxTokens, temperature, stop, thinking, output, cache } = request;
  const { reasoning, developerRole, longCache } = features(model);
  const instructions =
    system === undefined || system.trim() === ''
      ? []
      : [{ role: developerRole && genuine ? 'developer' : 'system', content: wellFormed(system) }];
  return {
    model,
    messages: [...instructions, ...tidyMessages(request.messages).flatMap((message) => messageOf(message, genuine))],
    ...toolMembers(request, reasoning),
    ...(maxTokens === undefined ? {} : { [genuine ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
    ...(temperature === undefined || reasoning ? {} : { temperature }),
    ...(stop === undefined || reasoning ? {} : { stop: [...stop] }),
    ...(thinking?.effort === undefined || !reasoning ? {} : { reasoning_effort: thinking.effort }),
    ...(output === undefined ? {} : { response_format: { type: 'json_schema', json_schema: formatOf(output) } }),
    ...(cache === true && longCache && genuine ? { prompt_cache_retention: '24h' } : {}),
  };
};
