import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { DOUBLE_KEY } from './scripted-llm.js';
import { MemoryLlm } from './memory-llm.js';

const clientOf = (double: MemoryLlm, apiKey = DOUBLE_KEY): Anthropic =>
  new Anthropic({ apiKey, baseURL: double.url, fetch: double.fetch, maxRetries: 0 });

const base = { model: 'claude-double', max_tokens: 2000 };
const ask = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }];
const weather: Anthropic.Tool = {
  name: 'get_forecast',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('Messages, asked by the official SDK', () => {
  test('a message with usage', async () => {
    const double = new MemoryLlm();
    double.next({ text: 'Rain.', usage: { input: 5, output: 2, cachedInput: 100, cacheWrite: 7 } });
    const answer = await clientOf(double).messages.create({ ...base, messages: ask });
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'Rain.' }], stop_reason: 'end_turn' });
    expect(answer.usage).toMatchObject({
      input_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 7,
    });
  });

  test('a stream with thinking, text and two calls', async () => {
    const double = new MemoryLlm();
    double.next({
      thinking: 'The user wants the weather.',
      text: 'I will look.',
      toolCalls: [
        { name: 'get_forecast', arguments: { city: 'Oslo' } },
        { name: 'get_forecast', arguments: {} },
      ],
    });
    const stream = clientOf(double).messages.stream({
      ...base,
      messages: ask,
      tools: [weather],
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    const thoughts: string[] = [];
    stream.on('thinking', (delta) => void thoughts.push(delta));
    const final = await stream.finalMessage();
    expect(thoughts.join('')).toBe('The user wants the weather.');
    expect(final.content).toMatchObject([
      { type: 'thinking', thinking: 'The user wants the weather.', signature: expect.stringMatching(/./u) as string },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', name: 'get_forecast', input: { city: 'Oslo' } },
      { type: 'tool_use', name: 'get_forecast', input: {} },
    ]);
    expect(final.stop_reason).toBe('tool_use');
    expect(final.usage.output_tokens).toBeGreaterThan(1);
  });

  test('structured output', async () => {
    const double = new MemoryLlm();
    double.always({ text: '{"city":"Oslo"}' });
    const properties = { city: { type: 'string' } };
    const strict = { type: 'object', properties, required: ['city'], additionalProperties: false } as const;
    const parse = (format: object) =>
      clientOf(double).messages.parse({ ...base, messages: ask, output_config: { format: format as never } });
    const parsed = await parse({ type: 'json_schema', schema: strict });
    expect(parsed.parsed_output).toEqual({ city: 'Oslo' });
    await expect(parse({ type: 'json_schema' })).rejects.toThrow(/schema: Field required/u);
    await expect(parse({ type: 'json_schema', schema: { type: 'string' } })).rejects.toThrow(Anthropic.BadRequestError);
    await expect(parse({ type: 'json_object' })).rejects.toThrow(/'json_schema'/u);
  });

  test('results of tools', async () => {
    const double = new MemoryLlm();
    double.next((request) => ({ text: `It says ${request.toolResults.join()}.` }));
    const use = { type: 'tool_use' as const, id: 'toolu_1', name: 'get_forecast', input: {} };
    const result = {
      type: 'tool_result' as const,
      tool_use_id: 'toolu_1',
      content: [{ type: 'text' as const, text: 'rain' }],
    };
    const answer = await clientOf(double).messages.create({
      ...base,
      messages: [...ask, { role: 'assistant', content: [use] }, { role: 'user', content: [result] }],
      tools: [weather],
    });
    expect(answer.content).toMatchObject([{ text: 'It says rain.' }]);
  });

  test.each([
    [400, Anthropic.BadRequestError, 'invalid_request_error'],
    [401, Anthropic.AuthenticationError, 'authentication_error'],
    [403, Anthropic.PermissionDeniedError, 'permission_error'],
    [404, Anthropic.NotFoundError, 'not_found_error'],
    [413, Anthropic.APIError, 'request_too_large'],
    [409, Anthropic.ConflictError, 'api_error'],
    [413, Anthropic.APIError, 'request_too_large'],
    [422, Anthropic.UnprocessableEntityError, 'api_error'],
    [429, Anthropic.RateLimitError, 'rate_limit_error'],
    [500, Anthropic.InternalServerError, 'api_error'],
    [529, Anthropic.InternalServerError, 'overloaded_error'],
  ])('status %i is the error class of the SDK', async (status, kind, type) => {
    const double = new MemoryLlm();
    double.next({ fault: { status } });
    const failure: unknown = await clientOf(double)
      .messages.create({ ...base, messages: ask })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect((failure as InstanceType<typeof Anthropic.APIError>).error).toMatchObject({ error: { type } });
  });

  test('counting of tokens', async () => {
    const double = new MemoryLlm();
    const { input_tokens: few } = await clientOf(double).messages.countTokens({ model: base.model, messages: ask });
    const { input_tokens: more } = await clientOf(double).messages.countTokens({
      model: base.model,
      messages: ask,
      tools: [weather],
    });
    expect(few).toBeGreaterThan(0);
    expect(more).toBeGreaterThan(few);
    expect(double.requests).toEqual([]);
  });

  test('a batch: submitted, polled, read; another one cancelled', async () => {
    const double = new MemoryLlm();
    double.always({ text: 'Rain.' });
    const client = clientOf(double);
    const requests = [
      { custom_id: 'good', params: { ...base, messages: ask } },
      { custom_id: 'bad', params: { ...base, model: 'no-such-model', messages: ask } },
    ];
    let batch = await client.messages.batches.create({ requests });
    const first = batch.processing_status;
    while (batch.processing_status !== 'ended') batch = await client.messages.batches.retrieve(batch.id);
    expect([first, batch.request_counts.succeeded, batch.request_counts.errored]).toEqual(['in_progress', 1, 1]);
    const results = [];
    for await (const one of await client.messages.batches.results(batch.id)) {
      results.push([one.custom_id, one.result.type]);
    }
    expect(results).toEqual([
      ['good', 'succeeded'],
      ['bad', 'errored'],
    ]);
    const other = await client.messages.batches.create({ requests });
    expect((await client.messages.batches.cancel(other.id)).request_counts.canceled).toBe(2);
    await expect(client.messages.batches.create({ requests: [...requests, ...requests] })).rejects.toThrow(/unique/u);
  });
});

const use = (id: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'tool_use' as const, id, name: 'get_forecast', input: {} }],
});
const result = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'rain' });
const says = (role: 'user' | 'assistant', content: string) => ({ role, content });

test.each([
  ['no messages', { messages: [] }, /at least one message/u],
  ['an assistant first', { messages: [says('assistant', 'Hi')] }, /first message must use the/u],
  ['an empty message', { messages: [says('user', ''), says('user', 'Hi')] }, /non-empty content/u],
  [
    'an empty block',
    { messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: '' }] }] },
    /must be non-empty/u,
  ],
  ['a prefill that ends with a space', { messages: [...ask, says('assistant', 'It is ')] }, /trailing whitespace/u],
  ['a call without its result', { messages: [...ask, use('a'), says('user', 'Well?')] }, /without `tool_result`/u],
  [
    'a result without a call',
    { messages: [{ role: 'user' as const, content: [result('a')] }] },
    /unexpected `tool_use_id`/u,
  ],
  [
    'two results of one call',
    { messages: [...ask, use('a'), { role: 'user' as const, content: [result('a'), result('a')] }] },
    /single result/u,
  ],
  ['half a character', { messages: [says('user', '\uD83D')] }, /not valid JSON/u],
  [
    'too small a budget for thinking',
    { messages: ask, thinking: { type: 'enabled' as const, budget_tokens: 10 } },
    /1024/u,
  ],
  [
    'a budget above the limit',
    { messages: ask, thinking: { type: 'enabled' as const, budget_tokens: 3000 } },
    /must be greater/u,
  ],
  [
    'thinking at another temperature',
    { messages: ask, temperature: 0.5, thinking: { type: 'enabled' as const, budget_tokens: 1024 } },
    /set to 1/u,
  ],
  [
    'thinking with a forced tool',
    {
      messages: ask,
      tools: [weather],
      tool_choice: { type: 'any' as const },
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
    },
    /forces tool use/u,
  ],
  [
    'a union at the root',
    { messages: ask, tools: [{ ...weather, input_schema: { type: 'object' as const, anyOf: [] } }] },
    /top level/u,
  ],
  ['a name with a dot', { messages: ask, tools: [{ ...weather, name: 'a.b' }] }, /does not match/u],
  ['a parameter behind a beta flag', { messages: ask, context_management: { edits: [] } }, /Extra inputs/u],
])('Messages refuses %s', async (_, body, message) => {
  const double = new MemoryLlm();
  const call = clientOf(double).messages.create({ ...base, ...body } as Anthropic.MessageCreateParamsNonStreaming);
  await expect(call).rejects.toThrow(message);
  await expect(call).rejects.toMatchObject({ status: 400 });
});

test('a wrong key, an unknown model and too much text', async () => {
  const double = new MemoryLlm({ models: { small: { contextTokens: 3 } } });
  await expect(clientOf(double, 'other').messages.create({ ...base, messages: ask })).rejects.toMatchObject({
    status: 401,
  });
  await expect(clientOf(double).messages.create({ ...base, messages: ask })).rejects.toMatchObject({ status: 404 });
  await expect(clientOf(double).messages.create({ ...base, model: 'small', messages: ask })).rejects.toThrow(
    /prompt is too long/u,
  );
});

test('a beta flag opens its parameter', async () => {
  const double = new MemoryLlm();
  double.next({ text: 'Yes.' });
  const answer = await clientOf(double).beta.messages.create({
    ...base,
    messages: ask,
    betas: ['context-management-2025-06-27'],
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  });
  expect(answer.content).toMatchObject([{ text: 'Yes.' }]);
});
