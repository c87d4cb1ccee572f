import { describe, expect, test } from 'vitest';
import { type Message, userText } from '../conversation/message.js';
import type { ModelRequest } from '../conversation/model-request.js';
import { settingOf } from '../test-support/memory-providers.js';
import { collectAnswer } from './provider.js';

type Changes = NonNullable<Parameters<typeof settingOf>[1]>;

/** The body and the beta features that a provider sends for a request. */
const sentBy = async (
  api: Parameters<typeof settingOf>[0],
  request: Partial<ModelRequest>,
  changes: Changes = {},
  streamed = false,
): Promise<{ readonly body: Record<string, unknown>; readonly betas: string }> => {
  const { provider, model, double } = settingOf(api, changes);
  double.always((asked) =>
    asked.tools.length === 0 ? { text: '{}' } : { toolCalls: [{ name: asked.tools[0]?.name ?? '', arguments: {} }] },
  );
  const whole = { model, messages: [userText('Hi.')], ...request };
  await (streamed ? collectAnswer(provider.stream(whole)) : provider.complete(whole));
  expect(double.refusals).toEqual([]);
  const [first] = double.requests;
  return {
    body: first?.body ?? {},
    betas: first?.headers['anthropic-beta'] ?? '',
  };
};

const tool = (name: string) => ({ name, inputSchema: { type: 'object', properties: {} } });
const tools = [tool('look'), tool('listen')];
const called = (id: string, name = 'look') => ({ type: 'tool-call', id, name, arguments: '{}' }) as const;
const result = (callId: string, text: string) => ({ callId, name: 'look', text, media: [], isError: false });
const said = (...texts: readonly string[]): Message => ({
  role: 'assistant',
  content: texts.map((text) => ({ type: 'text', text })),
});
const CACHED = { type: 'ephemeral' };

describe('Messages', () => {
  test('instructions are beside the conversation, and the user begins', async () => {
    const { body } = await sentBy('anthropic', { system: 'Be brief.', messages: [said('Hello.'), userText('Hi.')] });
    expect(body['system']).toEqual([{ type: 'text', text: 'Be brief.' }]);
    expect(body['messages']).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: expect.any(String) as string }] },
      { role: 'assistant', content: [{ text: 'Hello.' }] },
      { role: 'user', content: [{ text: 'Hi.' }] },
    ]);
  });

  test('messages of the user in a row are one', async () => {
    const { body } = await sentBy('anthropic', { messages: [userText('Hi.'), userText('Well?')] });
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi.' },
          { type: 'text', text: 'Well?' },
        ],
      },
    ]);
  });

  test('two results of one call are one, with a line break', async () => {
    const messages: readonly Message[] = [
      userText('Look.'),
      { role: 'assistant', content: [called('a')] },
      { role: 'tool', results: [result('a', 'rain'), result('a', 'snow')] },
    ];
    const { body } = await sentBy('anthropic', { messages, tools });
    expect((body['messages'] as unknown[])[2]).toMatchObject({
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ text: 'rain\nsnow' }] }],
    });
  });

  test('empty texts and messages are left out, and the begun answer stays', async () => {
    const messages = [userText('Hi.'), userText(''), said('', ' '), userText('Well?'), said('', 'It is ')];
    const { body } = await sentBy('anthropic', { messages });
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi.' },
          { type: 'text', text: 'Well?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'It is' }] },
    ]);
  });

  test('4,096 tokens unless it is told otherwise', async () => {
    expect((await sentBy('anthropic', {})).body['max_tokens']).toBe(4096);
    expect((await sentBy('anthropic', { maxTokens: 10 })).body['max_tokens']).toBe(10);
  });

  test.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ tool: 'look' }, { type: 'tool', name: 'look' }],
  ] as const)('the choice %j', async (toolChoice, expected) => {
    expect((await sentBy('anthropic', { tools, toolChoice })).body['tool_choice']).toEqual(expected);
  });

  test('calls one at a time, only when that is asked for', async () => {
    const { body } = await sentBy('anthropic', { tools, parallelToolCalls: false });
    expect(body['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true });
    expect((await sentBy('anthropic', { tools })).body).not.toHaveProperty('tool_choice');
  });

  test.each([
    ['tools and a stream', { tools }, {}, true, 'fine-grained-tool-streaming-2025-05-14'],
    ['tools without a stream', { tools }, {}, false, ''],
    ['a stream without tools', {}, {}, true, ''],
    [
      'a budget to think, with tools',
      { tools, thinking: {} },
      { thinking: 'budget' },
      false,
      'interleaved-thinking-2025-05-14',
    ],
    ['a model that decides itself', { tools, thinking: {} }, { thinking: 'adaptive' }, false, ''],
    [
      'old results that may be removed',
      { clearOldToolResults: true },
      { contextEditing: true },
      false,
      'context-management-2025-06-27',
    ],
    ['old results, and a model that cannot', { clearOldToolResults: true }, {}, false, ''],
  ] as const)('the beta features for %s', async (_, request, features, streamed, betas) => {
    expect((await sentBy('anthropic', request, { features }, streamed)).betas).toBe(betas);
  });
});

describe('the cache', () => {
  const messages = [userText('Hi.'), said('Hello.'), userText('One.'), userText('Two.')];
  const cached = { system: 'Be brief.', messages, tools, cache: true };

  test('Messages: marks on the instructions, the last tool and the last block, and nowhere else', async () => {
    const { body } = await sentBy('anthropic', cached);
    expect(body['system']).toMatchObject([{ cache_control: CACHED }]);
    expect(body['tools']).toEqual([
      { name: 'look', input_schema: tools[0]?.inputSchema },
      { name: 'listen', input_schema: tools[1]?.inputSchema, cache_control: CACHED },
    ]);
    expect((body['messages'] as unknown[]).at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.', cache_control: CACHED },
      ],
    });
    expect(JSON.stringify(body).match(/cache_control/gu)).toHaveLength(3);
  });

  test('Converse: points after the instructions, the tools and the last message', async () => {
    const { body } = await sentBy('bedrock', cached);
    const point = { cachePoint: { type: 'default' } };
    expect((body['system'] as unknown[]).at(-1)).toEqual(point);
    expect((body['toolConfig'] as { tools: unknown[] }).tools.at(-1)).toEqual(point);
    expect((body['messages'] as { content: unknown[] }[]).at(-1)?.content.at(-1)).toEqual(point);
    expect(JSON.stringify(body).match(/cachePoint/gu)).toHaveLength(3);
  });

  test.each(['openai-chat', 'openai-responses'] as const)('%s: a retention, for models that have it', async (api) => {
    const kept = await sentBy(api, cached, { features: { longCache: true } });
    expect(kept.body['prompt_cache_retention']).toBe('24h');
    expect((await sentBy(api, cached)).body).not.toHaveProperty('prompt_cache_retention');
  });

  test('an endpoint that is only compatible gets no retention', async () => {
    const { body } = await sentBy('openai-chat', cached, { dialect: 'compatible', features: { longCache: true } });
    expect(body).not.toHaveProperty('prompt_cache_retention');
  });

  test.each(['anthropic', 'bedrock', 'openai-chat'] as const)('%s: no mark unless it is asked for', async (api) => {
    const { body } = await sentBy(api, { ...cached, cache: false }, { features: { longCache: true } });
    expect(JSON.stringify(body)).not.toMatch(/cache/iu);
  });
});

describe('Chat Completions', () => {
  test('the limit has the name that OpenAI reads', async () => {
    expect((await sentBy('openai-chat', { maxTokens: 20 })).body).toMatchObject({ max_completion_tokens: 20 });
  });

  test('a format is named and strict unless it is told otherwise', async () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
    expect((await sentBy('openai-chat', { output: { schema } })).body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response_schema', schema, strict: true },
    });
    const loose = await sentBy('openai-responses', { output: { schema, name: 'sky', strict: false } });
    expect(loose.body['text']).toEqual({ format: { type: 'json_schema', name: 'sky', schema, strict: false } });
  });

  test('reasoning models get no temperature, no stop, and no parameter for parallel calls', async () => {
    const request = { tools, parallelToolCalls: false, temperature: 0, stop: ['END'] };
    const { body } = await sentBy('openai-chat', request, { features: { reasoning: true } });
    for (const name of ['temperature', 'stop', 'parallel_tool_calls']) expect(body).not.toHaveProperty(name);
    expect((await sentBy('openai-chat', request)).body).toMatchObject({ temperature: 0, parallel_tool_calls: false });
  });

  test.each([
    ['openai', null],
    ['compatible', ''],
  ] as const)('%s: a message with calls and no text has the content %j', async (dialect, content) => {
    const messages: readonly Message[] = [
      userText('Look.'),
      { role: 'assistant', content: [called('a')] },
      { role: 'tool', results: [result('a', 'rain')] },
    ];
    const { body } = await sentBy('openai-chat', { messages, tools }, { dialect });
    expect((body['messages'] as unknown[])[1]).toMatchObject({ role: 'assistant', content });
  });

  test('pictures are addresses with their data', async () => {
    const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    const { body } = await sentBy('openai-chat', { messages: [{ role: 'user', content: [picture] }] });
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'auto' } }],
      },
    ]);
  });
});

describe('Responses', () => {
  test('nothing is stored, and thoughts come back encrypted', async () => {
    const { body } = await sentBy(
      'openai-responses',
      { system: 'Be brief.', thinking: { effort: 'high' } },
      { features: { reasoning: true } },
    );
    expect(body).toMatchObject({
      store: false,
      instructions: 'Be brief.',
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'detailed', effort: 'high' },
    });
  });

  test('models that do not reason are asked for no thoughts', async () => {
    const { body } = await sentBy('openai-responses', { thinking: { effort: 'high' } });
    expect(body).not.toHaveProperty('reasoning');
    expect(body).not.toHaveProperty('include');
  });
});

describe('the finish', () => {
  test.each([
    ['anthropic', 'end_turn', 'stop'],
    ['anthropic', 'stop_sequence', 'stop'],
    ['anthropic', 'max_tokens', 'length'],
    ['anthropic', 'tool_use', 'tool-calls'],
    ['anthropic', 'pause_turn', 'pause'],
    ['anthropic', 'refusal', 'refusal'],
    ['anthropic', 'model_context_window_exceeded', 'context-window'],
    ['openai-chat', 'stop', 'stop'],
    ['openai-chat', 'length', 'length'],
    ['openai-chat', 'tool_calls', 'tool-calls'],
    ['openai-chat', 'function_call', 'tool-calls'],
    ['openai-chat', 'content_filter', 'content-filter'],
    ['bedrock', 'end_turn', 'stop'],
    ['bedrock', 'stop_sequence', 'stop'],
    ['bedrock', 'max_tokens', 'length'],
    ['bedrock', 'tool_use', 'tool-calls'],
    ['bedrock', 'content_filtered', 'content-filter'],
    ['bedrock', 'guardrail_intervened', 'content-filter'],
    ['bedrock', 'model_context_window_exceeded', 'context-window'],
  ] as const)('%s: %s is %s, whole and streamed', async (api, finish, kind) => {
    const { provider, model, double } = settingOf(api);
    double.always({ text: 'Hm.', finish });
    const request = { model, messages: [userText('Hi.')] };
    expect((await provider.complete(request)).finish).toEqual({ kind, raw: finish });
    expect((await collectAnswer(provider.stream(request))).finish).toEqual({ kind, raw: finish });
  });
});
