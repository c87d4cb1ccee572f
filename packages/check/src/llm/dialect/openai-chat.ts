import { at, isObject, listAt, type JsonObject } from '../../connection/json.js';
import type { Answer, Ask, AskMessage, SeenEvent, ToolCall } from '../ask.js';
import type { LlmTarget } from '../target.js';
import type { Dialect, Outgoing } from './dialect.js';
import { openaiBatch } from './openai-batch.js';
import { errorMember, Shape, textAt, usageAt } from './read-json.js';
import { readServerSent } from './server-sent.js';

const USAGE = {
  input: 'prompt_tokens',
  output: 'completion_tokens',
  total: 'total_tokens',
  cached: ['prompt_tokens_details', 'cached_tokens'],
  reasoning: ['completion_tokens_details', 'reasoning_tokens'],
} as const;

const callOf = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

const messageOf = (message: AskMessage): JsonObject => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'assistant':
      return { role: 'assistant', content: null, tool_calls: [callOf(message.call)] };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
  }
};

const bodyOf = ({ model, limitField }: LlmTarget, ask: Ask): JsonObject => ({
  model: ask.model ?? model,
  messages: ask.messages.map(messageOf),
  [limitField ?? 'max_completion_tokens']: ask.maxTokens,
  ...(ask.stream === true ? { stream: true, stream_options: { include_usage: true } } : {}),
  ...(ask.tools === undefined
    ? {}
    : {
        tools: ask.tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: { name, description, parameters: inputSchema },
        })),
      }),
  ...(ask.forceTool === true ? { tool_choice: 'required' } : {}),
  ...(ask.schema === undefined
    ? {}
    : {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: ask.schema } },
      }),
  ...ask.more,
});

const readCalls = (message: JsonObject, shape: Shape): readonly ToolCall[] =>
  listAt(message, 'tool_calls').map((call, index) => {
    const where = `choices[0].message.tool_calls[${index}]`;
    return {
      id: shape.text(at(call, 'id'), `${where}.id`),
      name: shape.text(at(call, 'function', 'name'), `${where}.function.name`),
      arguments: textAt(call, 'function', 'arguments') ?? '',
    };
  });

const readWhole = (body: unknown): Answer => {
  const shape = new Shape();
  const whole = shape.object(body, 'The body');
  shape.text(whole['id'], 'id');
  shape.equals(whole['object'], 'chat.completion', 'object');
  const choice = shape.object(shape.list(whole['choices'], 'choices', 1)[0], 'choices[0]');
  const message = shape.object(choice['message'], 'choices[0].message');
  shape.equals(message['role'], 'assistant', 'choices[0].message.role');
  return {
    text: textAt(message, 'content') ?? '',
    calls: readCalls(message, shape),
    thoughts: [],
    finish: textAt(choice, 'finish_reason'),
    usage: usageAt(whole['usage'], USAGE),
    problems: shape.problems,
  };
};

const deltaEvents = (delta: unknown): readonly SeenEvent[] => [
  ...(textAt(delta, 'role') === undefined ? [] : [{ kind: 'start' } as const]),
  ...(textAt(delta, 'content') ? [{ kind: 'text', text: textAt(delta, 'content') ?? '' } as const] : []),
  ...listAt(delta, 'tool_calls').flatMap((call): readonly SeenEvent[] => {
    const index = Number(at(call, 'index') ?? 0);
    const [id, name] = [textAt(call, 'id'), textAt(call, 'function', 'name')];
    const text = textAt(call, 'function', 'arguments') ?? '';
    return [
      ...(name === undefined ? [] : [{ kind: 'call', index, id: id ?? '', name } as const]),
      ...(text === '' ? [] : [{ kind: 'arguments', index, id, text } as const]),
    ];
  }),
];

const chunkEvents = (data: unknown): readonly SeenEvent[] => {
  const error = errorMember(data);
  if (error !== undefined) return [{ kind: 'error', message: error.message }];
  if (at(data, 'object') !== 'chat.completion.chunk') {
    return [{ kind: 'broken', why: 'An event is not an object of the type chat.completion.chunk.' }];
  }
  const messageId = textAt(data, 'id');
  const usage = usageAt(at(data, 'usage'), USAGE);
  const [choice] = listAt(data, 'choices');
  const reason = textAt(choice, 'finish_reason');
  const events: readonly SeenEvent[] = [
    ...deltaEvents(at(choice, 'delta')),
    ...(reason === undefined ? [] : [{ kind: 'finish', reason } as const]),
    ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
  ];
  return (events.length === 0 ? [{ kind: 'other' } as const] : events).map((event) => ({ ...event, messageId }));
};

export const openaiHeaders = ({ key }: LlmTarget): Readonly<Record<string, string>> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

export const openaiLookup = ({ model }: LlmTarget): Outgoing => ({
  method: 'GET',
  path: `/models/${encodeURIComponent(model)}`,
});

export const openaiEmbed = (model: string, input: readonly string[]): Outgoing => ({
  method: 'POST',
  path: '/embeddings',
  body: { model, input },
});

/** OpenAI's Chat Completions, which most other providers speak too. */
export const openaiChat: Dialect = {
  name: 'OpenAI Chat Completions',
  docs: 'https://platform.openai.com/docs/api-reference/chat',
  streamType: 'text/event-stream',
  finishes: new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']),
  limitFinish: 'length',
  toolFinish: 'tool_calls',
  offersSchema: true,
  oneCall: { parallel_tool_calls: false },
  thinking: [{ reasoning_effort: 'low' }],
  signsThoughts: false,
  cached: undefined,
  request: (target, ask) => ({ method: 'POST', path: '/chat/completions', body: bodyOf(target, ask) }),
  headers: openaiHeaders,
  readWhole,
  readStream: (bytes) => readServerSent(bytes, chunkEvents),
  errorOf: (body) => (isObject(body) ? errorMember(body) : undefined),
  lookup: openaiLookup,
  batch: openaiBatch('/v1/chat/completions', bodyOf),
  embed: openaiEmbed,
};
