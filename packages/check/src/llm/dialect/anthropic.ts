import { at, isObject, tryJson, type JsonObject } from '../../connection/json.js';
import type { Answer, Ask, AskMessage, SeenEvent, ToolCall } from '../ask.js';
import type { LlmTarget } from '../target.js';
import { type Dialect, BatchProblem, type BatchSteps } from './dialect.js';
import { errorMember, Shape, textAt, usageAt } from './read-json.js';
import { readServerSent } from './server-sent.js';

const USAGE = { input: 'input_tokens', output: 'output_tokens', cached: ['cache_read_input_tokens'] } as const;

const messageOf = (message: AskMessage): JsonObject => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'assistant': {
      const { id, name, arguments: text } = message.call;
      return { role: 'assistant', content: [{ type: 'tool_use', id, name, input: tryJson(text) ?? {} }] };
    }
    case 'tool':
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id: message.callId, content: message.text }] };
  }
};

const bodyOf = ({ model }: LlmTarget, ask: Ask): JsonObject => ({
  model: ask.model ?? model,
  messages: ask.messages.map(messageOf),
  max_tokens: ask.maxTokens,
  ...(ask.stream === true ? { stream: true } : {}),
  ...(ask.tools === undefined
    ? {}
    : {
        tools: ask.tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          input_schema: inputSchema,
        })),
      }),
  ...(ask.forceTool === true ? { tool_choice: { type: 'any' } } : {}),
  ...(ask.schema === undefined ? {} : { output_config: { format: { type: 'json_schema', schema: ask.schema } } }),
  ...ask.more,
});

const readWhole = (body: unknown): Answer => {
  const shape = new Shape();
  const whole = shape.object(body, 'The body');
  shape.text(whole['id'], 'id');
  shape.equals(whole['type'], 'message', 'type');
  shape.equals(whole['role'], 'assistant', 'role');
  const blocks = shape.list(whole['content'], 'content');
  const calls = blocks.flatMap((block, index): ToolCall[] => {
    if (at(block, 'type') !== 'tool_use') return [];
    return [
      {
        id: shape.text(at(block, 'id'), `content[${index}].id`),
        name: shape.text(at(block, 'name'), `content[${index}].name`),
        arguments: JSON.stringify(shape.object(at(block, 'input'), `content[${index}].input`)),
      },
    ];
  });
  return {
    text: blocks.map((block) => textAt(block, 'text') ?? '').join(''),
    calls,
    thoughts: blocks
      .filter((block) => at(block, 'type') === 'thinking')
      .map((block) => ({ text: textAt(block, 'thinking') ?? '', signature: textAt(block, 'signature') })),
    finish: textAt(whole, 'stop_reason'),
    usage: usageAt(whole['usage'], USAGE),
    problems: shape.problems,
  };
};

const blockStart = (data: unknown, index: number): SeenEvent => {
  const block = at(data, 'content_block');
  if (at(block, 'type') !== 'tool_use') return { kind: 'other' };
  return { kind: 'call', index, id: textAt(block, 'id') ?? '', name: textAt(block, 'name') ?? '' };
};

const blockDelta = (data: unknown, index: number): SeenEvent => {
  switch (at(data, 'delta', 'type')) {
    case 'text_delta':
      return { kind: 'text', text: textAt(data, 'delta', 'text') ?? '' };
    case 'input_json_delta':
      return { kind: 'arguments', index, id: undefined, text: textAt(data, 'delta', 'partial_json') ?? '' };
    default:
      return { kind: 'other' };
  }
};

const messageDelta = (data: unknown): readonly SeenEvent[] => {
  const reason = textAt(data, 'delta', 'stop_reason');
  const usage = usageAt(at(data, 'usage'), USAGE);
  return [
    ...(reason === undefined ? [] : [{ kind: 'finish', reason } as const]),
    ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
  ];
};

const eventsOf = (data: unknown, event: string): readonly SeenEvent[] => {
  const type = textAt(data, 'type');
  if (type !== event) return [{ kind: 'broken', why: `The event "${event}" has data of the type "${type ?? ''}".` }];
  const index = Number(at(data, 'index') ?? 0);
  switch (type) {
    case 'message_start':
      return [{ kind: 'start', messageId: textAt(data, 'message', 'id') }];
    case 'content_block_start':
      return [blockStart(data, index)];
    case 'content_block_delta':
      return [blockDelta(data, index)];
    case 'message_delta':
      return messageDelta(data);
    case 'message_stop':
      return [{ kind: 'end' }];
    case 'error':
      return [{ kind: 'error', message: textAt(data, 'error', 'message') ?? '' }];
    default:
      return [{ kind: 'other' }];
  }
};

/** A batch of Anthropic: requests go up in one body, results come down as lines. */
const anthropicBatch = (bodyOf: (target: LlmTarget, ask: Ask) => JsonObject): BatchSteps => ({
  submit: async (send, target, ask) => {
    const body = { requests: [{ custom_id: 'one', params: bodyOf(target, ask) }] };
    const { json } = await send({ method: 'POST', path: '/v1/messages/batches', body });
    const id = textAt(json, 'id');
    if (id === undefined) throw new BatchProblem('The batch has no id.');
    return `/v1/messages/batches/${encodeURIComponent(id)}`;
  },
  isDone: (batch) => textAt(batch, 'processing_status') === 'ended',
  results: async (send, batch) => {
    const id = textAt(batch, 'id') ?? '';
    const { text } = await send({ method: 'GET', path: `/v1/messages/batches/${encodeURIComponent(id)}/results` });
    return text;
  },
});

/** Anthropic's Messages. */
export const anthropic: Dialect = {
  name: 'Anthropic Messages',
  docs: 'https://platform.claude.com/docs/en/api/messages',
  streamType: 'text/event-stream',
  finishes: new Set([
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'refusal',
    'model_context_window_exceeded',
  ]),
  limitFinish: 'max_tokens',
  toolFinish: 'tool_use',
  offersSchema: true,
  oneCall: { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
  thinking: [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, { thinking: { type: 'adaptive' } }],
  signsThoughts: true,
  cached: (text) => ({ system: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] }),
  request: (target, ask) => ({ method: 'POST', path: '/v1/messages', body: bodyOf(target, ask) }),
  headers: ({ key }) => ({ 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }),
  readWhole,
  readStream: (bytes) => readServerSent(bytes, eventsOf),
  errorOf: (body) => (isObject(body) && body['type'] === 'error' ? errorMember(body) : undefined),
  lookup: ({ model }) => ({
    method: 'POST',
    path: '/v1/messages/count_tokens',
    body: { model, messages: [{ role: 'user', content: 'ping' }] },
  }),
  batch: anthropicBatch(bodyOf),
  count: {
    request: ({ model }, { messages }) => ({
      method: 'POST',
      path: '/v1/messages/count_tokens',
      body: { model, messages: messages.map(messageOf) },
    }),
    read: (body) => at(body, 'input_tokens'),
  },
};
