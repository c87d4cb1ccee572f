import type { Turn } from '@plugboard/testing/llm';
import { describe, expect, test } from 'vitest';
import { type Message, userText } from '../conversation/message.js';
import { type ProviderApi, settingOf } from '../test-support/memory-providers.js';
import { collectAnswer, type BatchResult, type ModelProvider } from './provider.js';

const idsOf = (results: readonly BatchResult[]): readonly string[] =>
  results.map((result) => `${result.id} ${'answer' in result ? 'answered' : 'failed'}`).toSorted();

describe.each(['openai-chat', 'openai-responses', 'anthropic'] as const)('batches of %s', (api) => {
  const submit = (provider: ModelProvider, model: string) =>
    provider.batches?.submit([
      { id: 'one', request: { model, messages: [userText('Hi.')] } },
      { id: 'two', request: { model: 'no-such-model', messages: [userText('Hi.')] } },
    ]);

  test('are submitted, polled and read, each request with its own outcome', async () => {
    const { provider, model, double } = settingOf(api);
    double.always({ text: 'Yes.' });
    let state = await submit(provider, model);
    for (let poll = 0; poll < 5 && state?.done === false; poll += 1) state = await provider.batches?.poll(state.id);
    expect(state?.done).toBe(true);
    const results = (await provider.batches?.results(state?.id ?? '')) ?? [];
    expect(idsOf(results)).toEqual(['one answered', 'two failed']);
    expect(results.find(({ id }) => id === 'one')).toMatchObject({ answer: { content: [{ text: 'Yes.' }] } });
    expect(results.find(({ id }) => id === 'two')).toMatchObject({
      error: { message: expect.stringContaining('no-such-model') as string },
    });
  });

  test('are cancelled, and an unknown one is not found', async () => {
    const { provider, model, double } = settingOf(api);
    double.always({ text: 'Yes.' });
    const state = await submit(provider, model);
    expect((await provider.batches?.cancel(state?.id ?? ''))?.id).toBe(state?.id);
    await expect(provider.batches?.poll('none')).rejects.toMatchObject({ failure: 'not-found' });
  });
});

describe.each(['openai-chat', 'openai-responses', 'anthropic', 'bedrock'] as const)('a batch of %s', (api) => {
  test.each([
    ['without requests', [], 'has no requests'],
    ['with an id twice', ['a', 'b', 'a'], 'have the id "a"'],
    ['with an empty id', ['a', ''], 'has an empty id'],
  ])('%s is not sent', async (_, ids, message) => {
    const { provider, model, double } = settingOf(api);
    const items = ids.map((id) => ({ id, request: { model, messages: [userText('Hi.')] } }));
    await expect(provider.batches?.submit(items)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message) as string,
    });
    expect(double.arrivals).toEqual([]);
  });
});

const countBy = async (api: ProviderApi, messages: readonly Message[], system = ''): Promise<number | undefined> => {
  const { provider, model, double } = settingOf(api);
  const counted = await provider.countTokens?.({ model, system, messages });
  expect(double.refusals).toEqual([]);
  return counted;
};
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

describe.each(['anthropic', 'bedrock'] as const)('counting of tokens by %s', (api) => {
  test.each(['text', 'text ', 'text\n', 'text \t\n'])('white space at the end of %j is left out', async (text) => {
    expect(await countBy(api, [userText('Hello.'), assistant(text)])).toBe(
      await countBy(api, [userText('Hello.'), assistant('text')]),
    );
  });
});

describe.each(['openai-responses', 'anthropic', 'bedrock'] as const)('counting of tokens by %s', (api) => {
  const count = (messages: readonly Message[], system = '') => countBy(api, messages, system);

  test.each<[string, readonly Message[]]>([
    ['an empty text of the user', [userText('Hello.'), userText('')]],
    ['an empty text of the model', [userText('Hello.'), assistant('')]],
    ['a blank text of the model in the middle', [assistant(' '), userText('Hello.')]],
    ['no parts of the user', [userText('Hello.'), { role: 'user', content: [] }]],
    ['no parts of the model', [userText('Hello.'), { role: 'assistant', content: [] }]],
    [
      'a thought and nothing else',
      [userText('Hello.'), { role: 'assistant', content: [{ type: 'thinking', text: '.' }] }],
    ],
  ])('%s costs nothing', async (_, messages) => {
    expect(await count(messages)).toBe(await count([userText('Hello.')]));
  });

  test('no messages cost nothing, and the system counts', async () => {
    expect(await count([])).toBe(0);
    expect(await count([], 'Be brief and friendly.')).toBeGreaterThan(0);
  });
});

test.each(['openai-responses', 'anthropic', 'bedrock'] as const)('%s counts tools too', async (api) => {
  const { provider, model, double } = settingOf(api);
  const request = { model, messages: [userText('Hello.')], maxTokens: 100, temperature: 0, cache: true };
  const tools = [{ name: 'look', description: 'Looks up the weather of a city.', inputSchema: { type: 'object' } }];
  const [plain = 0, more = 0] = [
    await provider.countTokens?.(request),
    await provider.countTokens?.({ ...request, tools, output: { name: 'out', schema: { type: 'object' } } }),
  ];
  expect(more).toBeGreaterThan(plain);
  expect(double.refusals).toEqual([]);
  await expect(provider.countTokens?.({ ...request, model: 'none' })).rejects.toMatchObject({ failure: 'not-found' });
});

describe('embeddings', () => {
  test.each(['amazon.titan-embed-text-double', 'cohere.embed-double'])('of Bedrock, with %s', async (model) => {
    const { provider, double } = settingOf('bedrock');
    const texts = Array.from({ length: 100 }, (_, at) => (at === 7 ? '' : `text ${at}`));
    const vectors = await provider.embed?.(model, texts);
    expect(vectors).toHaveLength(100);
    expect(vectors?.[41]).toEqual((await provider.embed?.(model, ['text 41']))?.[0]);
    expect(vectors?.[41]).not.toEqual(vectors?.[42]);
    expect(await provider.embed?.(model, [])).toEqual([]);
    expect(double.refusals).toEqual([]);
    await expect(provider.embed?.(`${model}-2`, ['a'])).rejects.toMatchObject({ failure: 'not-found' });
    await expect(settingOf('bedrock', { apiKey: 'wrong' }).provider.embed?.(model, ['a'])).rejects.toMatchObject({
      failure: 'authentication',
    });
  });

  test('of Bedrock, with a model that is not known to embed', async () => {
    const { provider } = settingOf('bedrock');
    await expect(provider.embed?.('meta.llama3', ['a'])).rejects.toThrow('is not known to create embeddings');
  });

  test('keep the order, take blank texts, and halve what is too large', async () => {
    const { provider, double } = settingOf('openai-chat');
    const texts = ['one', '', 'two'];
    const vectors = await provider.embed?.('embedding-double', texts);
    expect(vectors).toHaveLength(3);
    expect(vectors?.[2]).toEqual((await provider.embed?.('embedding-double', ['two']))?.[0]);
    expect(await provider.embed?.('embedding-double', [])).toEqual([]);
    const many = Array.from({ length: 2050 }, (_, at) => `text ${at}`);
    expect(await provider.embed?.('embedding-double', many)).toHaveLength(2050);
    expect(double.refusals).toEqual([]);
    await expect(provider.embed?.('none', ['a'])).rejects.toMatchObject({ failure: 'not-found' });
  });

  test('a batch that the endpoint cannot take is halved', async () => {
    const { provider, double } = settingOf('openai-chat', { dialect: 'compatible' });
    const sizes: number[] = [];
    const answer = double.answer.bind(double);
    double.answer = async (arrival) => {
      const { input } = JSON.parse(arrival.body.toString()) as { input: unknown[] };
      sizes.push(input.length);
      if (input.length <= 2) return answer(arrival);
      return {
        status: 400,
        headers: { 'content-type': 'application/json' },
        body: '{"error":{"message":"Too many."}}',
      };
    };
    expect(await provider.embed?.('embedding-double', ['a', 'b', 'c', 'd', 'e'])).toHaveLength(5);
    expect(sizes).toEqual([5, 3, 2, 1, 2]);
  });
});

describe('endpoints that are only compatible', () => {
  test('get `max_tokens` and `system`, and parameters that they refuse are left out', async () => {
    const { provider, model, double } = settingOf('openai-chat', {
      dialect: 'compatible',
      features: { developerRole: true },
    });
    double.next({ fault: { status: 400, message: "Unknown parameter: 'stream_options'.", code: 'unknown_parameter' } });
    double.next({ text: 'Yes.' });
    const request = { model, system: 'Be brief.', messages: [userText('Hi.')], maxTokens: 20 };
    await collectAnswer(provider.stream(request));
    const { body } = double.requests[1] ?? {};
    expect(body).toMatchObject({ max_tokens: 20, messages: [{ role: 'system' }, { role: 'user' }] });
    expect(body).not.toHaveProperty('stream_options');
    double.next({ fault: { status: 400, message: "Unsupported parameter: 'max_tokens'." } }, { text: 'Yes.' });
    await provider.complete(request);
    expect(double.requests[3]?.body).toMatchObject({ max_completion_tokens: 20 });
    double.next({ fault: { status: 400, message: "Unsupported value: 'model'." } });
    await expect(provider.complete(request)).rejects.toMatchObject({ failure: 'bad-request' });
  });

  test.each([
    ['no index', ({ index: _index, ...call }: Readonly<Record<string, unknown>>) => call],
    ['neither index nor id', ({ index: _index, id: _id, ...call }: Readonly<Record<string, unknown>>) => call],
    ['one index for all calls', (call: Readonly<Record<string, unknown>>) => ({ ...call, index: 0 })],
    [
      'no index, and the id and the name with every piece',
      ({ index: _index, ...call }: Readonly<Record<string, unknown>>, last: { id?: unknown; name?: unknown }) => {
        const called = call['function'] as Readonly<Record<string, unknown>>;
        if (call['id'] !== undefined) [last.id, last.name] = [call['id'], called['name']];
        return { ...call, id: last.id, function: { ...called, name: last.name } };
      },
    ],
  ])('stream parallel calls with %s', async (what, change) => {
    const { provider, model, double } = settingOf('openai-chat', { dialect: 'compatible' });
    const last = {};
    const idOf = (id: string): string => (what.startsWith('neither') ? '' : id);
    const tamperStream: Turn['tamperStream'] = (pieces) =>
      pieces.map((piece) => {
        if (typeof piece !== 'object' || !('data' in piece)) return piece;
        const chunk = JSON.parse(JSON.stringify(piece.data)) as {
          choices?: { delta?: { tool_calls?: Readonly<Record<string, unknown>>[] } }[];
        };
        const delta = chunk.choices?.[0]?.delta;
        if (delta?.tool_calls !== undefined) delta.tool_calls = delta.tool_calls.map((call) => change(call, last));
        return { ...piece, data: chunk };
      });
    const toolCalls = [
      { id: 'a', name: 'look', arguments: { city: 'Oslo' } },
      { id: 'b', name: 'look', arguments: { city: 'Bergen' } },
      { id: 'c', name: 'listen', arguments: {} },
    ];
    double.next({ toolCalls, tamperStream });
    const tools = ['look', 'listen'].map((name) => ({ name, inputSchema: { type: 'object', properties: {} } }));
    const answer = await collectAnswer(provider.stream({ model, messages: [userText('Hi.')], tools }));
    expect(answer.content).toEqual([
      { type: 'tool-call', id: idOf('a'), name: 'look', arguments: '{"city":"Oslo"}' },
      { type: 'tool-call', id: idOf('b'), name: 'look', arguments: '{"city":"Bergen"}' },
      { type: 'tool-call', id: idOf('c'), name: 'listen', arguments: '{}' },
    ]);
  });

  test.each([
    ['a web page', { body: '<!doctype html><p>Hello', contentType: 'text/html' }, 'server'],
    ['an error with status 200', { body: '{"error":{"message":"This is overloaded."}}' }, 'overloaded'],
    ['a list', { body: '[]' }, 'server'],
  ])('%s is a failure', async (_, fault, failure) => {
    const { provider, model, double } = settingOf('openai-chat', { dialect: 'compatible' });
    double.always({ fault });
    const request = { model, messages: [userText('Hi.')] };
    await expect(provider.complete(request)).rejects.toMatchObject({ failure });
  });

  test('usage of Gemini: the total includes thoughts that are in no other count', async () => {
    const { provider, model, double } = settingOf('openai-chat', { dialect: 'compatible' });
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yes.' } }];
    // As a user of Gemini 2.5 Pro posted it: discuss.ai.google.dev/t/question-with-usage-in-openai-compatibility/98760
    const usage = { prompt_tokens: 758, completion_tokens: 102, total_tokens: 1725 };
    double.next({ fault: { body: JSON.stringify({ object: 'chat.completion', model, choices, usage }) } });
    expect((await provider.complete({ model, messages: [userText('Hi.')] })).usage).toEqual({
      input: 758,
      output: 102,
      total: 1725,
      cachedInput: null,
      cacheWrite: null,
      reasoning: null,
    });
  });

  test('a web page with an error status names the address', async () => {
    const { provider, model, double } = settingOf('openai-chat');
    double.answer = async () => ({ status: 400, headers: { 'content-type': 'text/html' }, body: '<html>Hello</html>' });
    await expect(provider.complete({ model, messages: [userText('Hi.')] })).rejects.toMatchObject({
      failure: 'bad-request',
      hint: 'The address returns a web page: check the base URL.',
    });
  });
});

test('a request that the SDK of Anthropic only sends as a stream is streamed', async () => {
  const { provider, model, double } = settingOf('anthropic');
  double.next({ text: 'Yes.' });
  const answer = await provider.complete({ model, messages: [userText('Hi.')], maxTokens: 120_000 });
  expect(answer.content).toEqual([{ type: 'text', text: 'Yes.' }]);
  expect(double.requests[0]?.stream).toBe(true);
});

test('the end of the time is called a time-out', async () => {
  const { provider, model, double } = settingOf('anthropic');
  double.always({ fault: 'hang' });
  const request = { model, messages: [userText('Hi.')] };
  await expect(provider.complete(request, { timeoutMs: 5 })).rejects.toMatchObject({ failure: 'timeout' });
  await expect(collectAnswer(provider.stream(request, { timeoutMs: 5 }))).rejects.toMatchObject({ failure: 'timeout' });
});
