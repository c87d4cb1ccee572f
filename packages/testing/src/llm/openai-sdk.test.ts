import OpenAI, { toFile } from 'openai';
import { describe, expect, test } from 'vitest';
import { DOUBLE_KEY } from './scripted-llm.js';
import { MemoryLlm } from './memory-llm.js';

const clientOf = (double: MemoryLlm, apiKey = DOUBLE_KEY): OpenAI =>
  new OpenAI({ apiKey, baseURL: double.openaiUrl, fetch: double.fetch, maxRetries: 0 });

const model = 'gpt-double';
const ask = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }];
const weather = {
  type: 'function' as const,
  function: {
    name: 'get_forecast',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe('Chat Completions, asked by the official SDK', () => {
  test('a completion with usage', async () => {
    const double = new MemoryLlm();
    double.next({ text: 'Rain.', usage: { input: 12, output: 3, cachedInput: 8 } });
    const answer = await clientOf(double).chat.completions.create({ model, messages: ask });
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Rain.' } });
    expect(answer.usage).toMatchObject({ total_tokens: 15, prompt_tokens_details: { cached_tokens: 8 } });
  });

  test('a stream, assembled by the helper of the SDK', async () => {
    const double = new MemoryLlm();
    double.next({
      text: 'Rain, and then more rain 🌧️.',
      toolCalls: [{ name: 'get_forecast', arguments: { city: 'Oslo' } }],
    });
    const stream = clientOf(double).chat.completions.stream({
      model,
      messages: ask,
      tools: [weather],
      stream_options: { include_usage: true },
    });
    const deltas: string[] = [];
    stream.on('content.delta', ({ delta }) => void deltas.push(delta));
    const final = await stream.finalChatCompletion();
    expect(deltas.length).toBeGreaterThan(2);
    expect(final.choices[0]?.message).toMatchObject({
      content: 'Rain, and then more rain 🌧️.',
      tool_calls: [{ function: { name: 'get_forecast', arguments: '{"city":"Oslo"}' } }],
    });
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
    expect(final.usage?.total_tokens).toBeGreaterThan(0);
  });

  test('parallel calls of tools and their results', async () => {
    const double = new MemoryLlm();
    double.next(
      {
        toolCalls: [
          { name: 'get_forecast', arguments: { city: 'Oslo' } },
          { name: 'get_forecast', arguments: { city: 'Bergen' } },
        ],
      },
      (request) => ({ text: request.toolResults.join(' and ') }),
    );
    const client = clientOf(double);
    const first = await client.chat.completions.create({ model, messages: ask, tools: [weather] });
    const message = first.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    const results = calls.map(({ id }, at) => ({ role: 'tool' as const, tool_call_id: id, content: `rain ${at}` }));
    const second = await client.chat.completions.create({
      model,
      messages: [...ask, message ?? { role: 'assistant', content: '' }, ...results],
      tools: [weather],
    });
    expect(second.choices[0]?.message.content).toBe('rain 0 and rain 1');
  });

  test('structured output', async () => {
    const double = new MemoryLlm();
    double.next({ text: '{"city":"Oslo"}' });
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const answer = await clientOf(double).chat.completions.parse({
      model,
      messages: ask,
      response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } },
    });
    expect(answer.choices[0]?.message.parsed).toEqual({ city: 'Oslo' });
  });

  test('an answer that is longer than allowed is cut', async () => {
    const double = new MemoryLlm();
    double.next({ text: 'a'.repeat(100) });
    const answer = await clientOf(double).chat.completions.create({ model, messages: ask, max_completion_tokens: 5 });
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'a'.repeat(20) } });
  });

  test('a wrong key, an unknown model and too much text', async () => {
    const double = new MemoryLlm({ models: { small: { contextTokens: 3 } } });
    const wrongKey = clientOf(double, 'sk-other').chat.completions.create({ model: 'small', messages: ask });
    await expect(wrongKey).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    const client = clientOf(double);
    await expect(client.chat.completions.create({ model, messages: ask })).rejects.toMatchObject({
      code: 'model_not_found',
    });
    const long = client.chat.completions.create({ model: 'small', messages: ask });
    await expect(long).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });
});

const ERROR_CLASSES = [
  [400, OpenAI.BadRequestError],
  [401, OpenAI.AuthenticationError],
  [403, OpenAI.PermissionDeniedError],
  [404, OpenAI.NotFoundError],
  [409, OpenAI.ConflictError],
  [422, OpenAI.UnprocessableEntityError],
  [429, OpenAI.RateLimitError],
  [500, OpenAI.InternalServerError],
  [503, OpenAI.InternalServerError],
] as const;

describe.each(['Chat Completions', 'Responses'])('%s', (api) => {
  test.each(ERROR_CLASSES)('status %i is the error class of the SDK', async (status, kind) => {
    const double = new MemoryLlm();
    double.next({ fault: { status, headers: { 'retry-after': '7' } } });
    const client = clientOf(double);
    const call: Promise<unknown> =
      api === 'Responses'
        ? client.responses.create({ model, input: 'Hi' })
        : client.chat.completions.create({ model, messages: ask });
    const failure = await call.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(kind);
    expect((failure as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after')).toBe('7');
  });
});

describe('Responses, asked by the official SDK', () => {
  test('structured output', async () => {
    const double = new MemoryLlm();
    double.next({ text: '{"city":"Oslo"}' });
    const properties = { city: { type: 'string' } };
    const schema = { type: 'object', properties, required: ['city'], additionalProperties: false };
    const answer = await clientOf(double).responses.parse({
      model,
      input: 'Where?',
      text: { format: { type: 'json_schema', name: 'place', strict: true, schema } },
    });
    expect(answer.output_parsed).toEqual({ city: 'Oslo' });
  });

  test('a response with reasoning, text and a call', async () => {
    const double = new MemoryLlm();
    const turn = {
      thinking: 'Hm.',
      text: 'Let me look.',
      toolCalls: [{ name: 'get_forecast', arguments: { city: 'Oslo' } }],
    };
    double.next(turn, turn);
    const client = clientOf(double);
    const request = { model: 'o-double', input: 'What is the weather?', store: false };
    const tools = [{ type: 'function' as const, ...weather.function, strict: false }];
    const whole = await client.responses.create({ ...request, tools });
    expect(whole.output_text).toBe('Let me look.');
    expect(whole.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    const stream = client.responses.stream({ ...request, tools });
    const seen: string[] = [];
    for await (const event of stream) seen.push(event.type);
    const final = await stream.finalResponse();
    expect(final.output_text).toBe('Let me look.');
    expect(final.status).toBe('completed');
    expect(seen[0]).toBe('response.created');
    expect(seen.filter((type) => type === 'response.completed')).toHaveLength(1);
    expect(seen).toEqual(
      expect.arrayContaining([
        'response.reasoning_summary_text.delta',
        'response.output_text.delta',
        'response.function_call_arguments.done',
      ]),
    );
  });

  test('results of calls, pairs required', async () => {
    const double = new MemoryLlm();
    double.next((request) => ({ text: `It says ${request.toolResults.join()}.` }));
    const client = clientOf(double);
    const call = { type: 'function_call' as const, call_id: 'call_1', name: 'get_forecast', arguments: '{}' };
    const output = { type: 'function_call_output' as const, call_id: 'call_1', output: 'rain' };
    const answer = await client.responses.create({ model, input: [...ask, call, output] });
    expect(answer.output_text).toBe('It says rain.');
    await expect(client.responses.create({ model, input: [...ask, call] })).rejects.toThrow(/No tool output found/u);
    await expect(client.responses.create({ model, input: [...ask, output] })).rejects.toThrow(/No tool call found/u);
  });

  test('incomplete and failing streams', async () => {
    const double = new MemoryLlm();
    const client = clientOf(double);
    double.next({ text: 'a'.repeat(100) });
    const cut = await client.responses.create({ model, input: 'Hi', max_output_tokens: 16 });
    expect([cut.status, cut.incomplete_details?.reason]).toEqual(['incomplete', 'max_output_tokens']);
    double.next({ text: 'a long text', fault: { errorAfter: 3 } });
    const seen = [];
    for await (const event of await client.responses.create({ model, input: 'Hi', stream: true })) {
      seen.push(event.type);
    }
    expect(seen.at(-1)).toBe('error');
  });
});

describe('what is beside the model', () => {
  test('a batch: submitted, polled, read', async () => {
    const double = new MemoryLlm();
    double.always((request) => ({ text: `answer to ${JSON.stringify(request.body['messages'])}` }));
    const client = clientOf(double);
    const line = (custom_id: string, name: string): string =>
      JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body: { model: name, messages: ask } });
    const file = await client.files.create({
      file: await toFile(Buffer.from([line('a', model), line('b', 'no-such-model')].join('\n')), 'batch.jsonl'),
      purpose: 'batch',
    });
    let batch = await client.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    const statuses = [batch.status];
    while (batch.status !== 'completed') {
      batch = await client.batches.retrieve(batch.id);
      statuses.push(batch.status);
    }
    expect(statuses).toEqual(['validating', 'in_progress', 'completed']);
    expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
    const good = JSON.parse(await (await client.files.content(String(batch.output_file_id))).text()) as object;
    const bad = JSON.parse(await (await client.files.content(String(batch.error_file_id))).text()) as object;
    expect(good).toMatchObject({ custom_id: 'a', response: { status_code: 200, body: { object: 'chat.completion' } } });
    expect(bad).toMatchObject({ custom_id: 'b', response: { status_code: 404 } });
  });

  test('embeddings keep the order, and models are listed', async () => {
    const double = new MemoryLlm();
    const client = clientOf(double);
    const both = await client.embeddings.create({ model: 'embedding-double', input: ['one', 'two'] });
    const alone = await client.embeddings.create({ model: 'embedding-double', input: 'two', encoding_format: 'float' });
    expect(both.data[1]?.embedding).toEqual(alone.data[0]?.embedding);
    await expect(client.embeddings.create({ model: 'embedding-double', input: '' })).rejects.toThrow(/empty/u);
    const models = [];
    for await (const one of client.models.list()) models.push(one.id);
    expect(models).toContain('gpt-double');
    expect((await client.models.retrieve('gpt-double')).object).toBe('model');
    await expect(client.models.retrieve('other')).rejects.toMatchObject({ status: 404 });
  });
});
