import { at, isObject, listAt, type JsonObject } from '../../connection/json.js';
import type { Answer, Ask, AskMessage, SeenEvent, ToolCall } from '../ask.js';
import type { LlmTarget } from '../target.js';
import type { Dialect } from './dialect.js';
import { openaiBatch } from './openai-batch.js';
import { openaiEmbed, openaiHeaders, openaiLookup } from './openai-chat.js';
import { errorMember, Shape, textAt, usageAt } from './read-json.js';
import { readServerSent } from './server-sent.js';

const USAGE = {
  input: 'input_tokens',
  output: 'output_tokens',
  total: 'total_tokens',
  cached: ['input_tokens_details', 'cached_tokens'],
  reasoning: ['output_tokens_details', 'reasoning_tokens'],
} as const;

const itemOf = (message: AskMessage): JsonObject => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'assistant': {
      const { id, name, arguments: text } = message.call;
      return { type: 'function_call', call_id: id, name, arguments: text };
    }
    case 'tool':
      return { type: 'function_call_output', call_id: message.callId, output: message.text };
  }
};

const bodyOf = ({ model }: LlmTarget, ask: Ask): JsonObject => ({
  model: ask.model ?? model,
  input: ask.messages.map(itemOf),
  max_output_tokens: ask.maxTokens,
  store: false,
  ...(ask.stream === true ? { stream: true } : {}),
  ...(ask.tools === undefined
    ? {}
    : {
        tools: ask.tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          name,
          description,
          parameters: inputSchema,
          strict: false,
        })),
      }),
  ...(ask.forceTool === true ? { tool_choice: 'required' } : {}),
  ...(ask.schema === undefined
    ? {}
    : { text: { format: { type: 'json_schema', name: 'answer', strict: true, schema: ask.schema } } }),
  ...ask.more,
});

/** The status of a response, or why it is incomplete. */
const finishOf = (response: unknown): string | undefined =>
  textAt(response, 'incomplete_details', 'reason') ?? textAt(response, 'status');

const readWhole = (body: unknown): Answer => {
  const shape = new Shape();
  const whole = shape.object(body, 'The body');
  shape.text(whole['id'], 'id');
  shape.equals(whole['object'], 'response', 'object');
  const output = shape.list(whole['output'], 'output', 1);
  const calls = output.flatMap((item, index): ToolCall[] => {
    if (at(item, 'type') !== 'function_call') return [];
    return [
      {
        id: shape.text(at(item, 'call_id'), `output[${index}].call_id`),
        name: shape.text(at(item, 'name'), `output[${index}].name`),
        arguments: textAt(item, 'arguments') ?? '',
      },
    ];
  });
  const text = output.flatMap((item) => listAt(item, 'content')).map((part) => textAt(part, 'text') ?? '');
  return {
    text: text.join(''),
    calls,
    thoughts: [],
    finish: finishOf(whole),
    usage: usageAt(whole['usage'], USAGE),
    problems: shape.problems,
  };
};

const endEvents = (response: unknown): readonly SeenEvent[] => {
  const usage = usageAt(at(response, 'usage'), USAGE);
  return [
    { kind: 'finish', reason: finishOf(response) ?? '' },
    ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
    { kind: 'end' },
  ];
};

const eventsOf = (data: unknown): readonly SeenEvent[] => {
  const index = Number(at(data, 'output_index') ?? 0);
  switch (textAt(data, 'type')) {
    case 'response.created':
      return [{ kind: 'start', messageId: textAt(data, 'response', 'id') }];
    case 'response.output_text.delta':
      return [{ kind: 'text', text: textAt(data, 'delta') ?? '' }];
    case 'response.output_item.added':
      if (at(data, 'item', 'type') !== 'function_call') return [{ kind: 'other' }];
      return [
        { kind: 'call', index, id: textAt(data, 'item', 'call_id') ?? '', name: textAt(data, 'item', 'name') ?? '' },
      ];
    case 'response.function_call_arguments.delta':
      return [{ kind: 'arguments', index, id: undefined, text: textAt(data, 'delta') ?? '' }];
    case 'response.completed':
    case 'response.incomplete':
      return endEvents(at(data, 'response')).map((event) => ({ ...event, messageId: textAt(data, 'response', 'id') }));
    case 'response.failed':
    case 'error':
      return [{ kind: 'error', message: textAt(data, 'message') ?? 'The response failed.' }];
    case undefined:
      return [{ kind: 'broken', why: 'An event has no type.' }];
    default:
      return [{ kind: 'other' }];
  }
};

/** OpenAI's Responses. */
export const openaiResponses: Dialect = {
  name: 'OpenAI Responses',
  docs: 'https://platform.openai.com/docs/api-reference/responses',
  streamType: 'text/event-stream',
  finishes: new Set(['completed', 'max_output_tokens', 'content_filter']),
  limitFinish: 'max_output_tokens',
  toolFinish: undefined,
  offersSchema: true,
  oneCall: { parallel_tool_calls: false },
  thinking: [{ reasoning: { effort: 'low' } }],
  signsThoughts: false,
  cached: undefined,
  request: (target, ask) => ({ method: 'POST', path: '/responses', body: bodyOf(target, ask) }),
  headers: openaiHeaders,
  readWhole,
  readStream: (bytes) => readServerSent(bytes, eventsOf),
  errorOf: (body) => (isObject(body) ? errorMember(body) : undefined),
  lookup: openaiLookup,
  batch: openaiBatch('/v1/responses', bodyOf),
  count: {
    request: ({ model }, { messages }) => ({
      method: 'POST',
      path: '/responses/input_tokens',
      body: { model, input: messages.map(itemOf) },
    }),
    read: (body) => at(body, 'input_tokens'),
  },
  embed: openaiEmbed,
};
