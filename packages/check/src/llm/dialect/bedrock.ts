import { at, listAt, tryJson, type JsonObject } from '../../connection/json.js';
import type { Answer, Ask, AskMessage, SeenEvent, ToolCall } from '../ask.js';
import { readFrames, type Frame } from './event-frames.js';
import type { Dialect } from './dialect.js';
import { Shape, textAt, usageAt } from './read-json.js';

const USAGE = {
  input: 'inputTokens',
  output: 'outputTokens',
  total: 'totalTokens',
  cached: ['cacheReadInputTokens'],
} as const;

const messageOf = (message: AskMessage): JsonObject => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ text: message.text }] };
    case 'assistant': {
      const { id, name, arguments: text } = message.call;
      return { role: 'assistant', content: [{ toolUse: { toolUseId: id, name, input: tryJson(text) ?? {} } }] };
    }
    case 'tool':
      return {
        role: 'user',
        content: [{ toolResult: { toolUseId: message.callId, content: [{ text: message.text }] } }],
      };
  }
};

const bodyOf = (ask: Ask): JsonObject => ({
  messages: ask.messages.map(messageOf),
  inferenceConfig: { maxTokens: ask.maxTokens },
  ...(ask.tools === undefined
    ? {}
    : {
        toolConfig: {
          tools: ask.tools.map(({ name, description, inputSchema }) => ({
            toolSpec: { name, description, inputSchema: { json: inputSchema } },
          })),
          ...(ask.forceTool === true ? { toolChoice: { any: {} } } : {}),
        },
      }),
  ...ask.more,
});

const readWhole = (body: unknown): Answer => {
  const shape = new Shape();
  const whole = shape.object(body, 'The body');
  const message = shape.object(at(whole, 'output', 'message'), 'output.message');
  shape.equals(message['role'], 'assistant', 'output.message.role');
  const blocks = shape.list(message['content'], 'output.message.content');
  const calls = blocks.flatMap((block, index): ToolCall[] => {
    const use = at(block, 'toolUse');
    if (use === undefined) return [];
    const where = `output.message.content[${index}].toolUse`;
    return [
      {
        id: shape.text(at(use, 'toolUseId'), `${where}.toolUseId`),
        name: shape.text(at(use, 'name'), `${where}.name`),
        arguments: JSON.stringify(shape.object(at(use, 'input'), `${where}.input`)),
      },
    ];
  });
  return {
    text: listAt(message, 'content')
      .map((block) => textAt(block, 'text') ?? '')
      .join(''),
    calls,
    thoughts: blocks.flatMap((block) => {
      const thought = at(block, 'reasoningContent', 'reasoningText');
      return thought === undefined
        ? []
        : [{ text: textAt(thought, 'text') ?? '', signature: textAt(thought, 'signature') }];
    }),
    finish: textAt(whole, 'stopReason'),
    usage: usageAt(whole['usage'], USAGE),
    problems: shape.problems,
  };
};

const deltaEvent = (data: unknown, index: number): SeenEvent => {
  const [text, input] = [textAt(data, 'delta', 'text'), textAt(data, 'delta', 'toolUse', 'input')];
  if (text !== undefined) return { kind: 'text', text };
  return input === undefined ? { kind: 'other' } : { kind: 'arguments', index, id: undefined, text: input };
};

const frameEvents = ({ headers, payload }: Frame): readonly SeenEvent[] => {
  const data = tryJson(payload);
  if (data === undefined) return [{ kind: 'broken', why: `The payload of a frame is not JSON: ${payload}` }];
  if (headers[':message-type'] === 'exception') {
    return [{ kind: 'error', message: `${headers[':exception-type'] ?? ''}: ${textAt(data, 'message') ?? ''}` }];
  }
  const index = Number(at(data, 'contentBlockIndex') ?? 0);
  const use = at(data, 'start', 'toolUse');
  const usage = usageAt(at(data, 'usage'), USAGE);
  switch (headers[':event-type']) {
    case 'messageStart':
      return [{ kind: 'start' }];
    case 'contentBlockStart':
      if (use === undefined) return [{ kind: 'other' }];
      return [{ kind: 'call', index, id: textAt(use, 'toolUseId') ?? '', name: textAt(use, 'name') ?? '' }];
    case 'contentBlockDelta':
      return [deltaEvent(data, index)];
    case 'messageStop':
      return [{ kind: 'finish', reason: textAt(data, 'stopReason') ?? '' }];
    case 'metadata':
      return [...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]), { kind: 'end' }];
    default:
      return [{ kind: 'other' }];
  }
};

/** Bedrock's Converse and ConverseStream. */
export const bedrock: Dialect = {
  name: 'Amazon Bedrock Converse',
  docs: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
  streamType: 'application/vnd.amazon.eventstream',
  finishes: new Set([
    'end_turn',
    'tool_use',
    'max_tokens',
    'stop_sequence',
    'guardrail_intervened',
    'content_filtered',
    'malformed_model_output',
    'malformed_tool_use',
    'model_context_window_exceeded',
  ]),
  limitFinish: 'max_tokens',
  toolFinish: 'tool_use',
  offersSchema: false,
  oneCall: undefined,
  thinking: [
    { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_024 } } },
    { additionalModelRequestFields: { thinking: { type: 'adaptive' } } },
  ],
  // Only the models of Anthropic sign.
  signsThoughts: false,
  cached: (text) => ({ system: [{ text }, { cachePoint: { type: 'default' } }] }),
  request: ({ model }, ask) => ({
    method: 'POST',
    path: `/model/${encodeURIComponent(ask.model ?? model)}/converse${ask.stream === true ? '-stream' : ''}`,
    body: bodyOf(ask),
  }),
  headers: ({ key }) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  readWhole,
  readStream: (bytes) => {
    const { frames, problem } = readFrames(bytes);
    const events = frames.flatMap(frameEvents);
    return problem === undefined ? events : [...events, { kind: 'broken', why: problem }];
  },
  count: {
    request: ({ model }, { messages }) => ({
      method: 'POST',
      path: `/model/${encodeURIComponent(model)}/count-tokens`,
      body: { input: { converse: { messages: messages.map(messageOf) } } },
    }),
    read: (body) => at(body, 'inputTokens'),
  },
  errorOf: (body) => {
    const message = textAt(body, 'message') ?? textAt(body, 'Message');
    return message === undefined ? undefined : { type: textAt(body, '__type') ?? '', message };
  },
};
