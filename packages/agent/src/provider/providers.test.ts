import { DOUBLE_CREDENTIALS, DOUBLE_KEY, type ToolJudge } from '@plugboard/testing/llm';
import { describe, expect, test } from 'vitest';
import { type Message, userText } from '../conversation/message.js';
import type { ModelEvent } from '../conversation/model-event.js';
import type { ModelRequest, ModelTool } from '../conversation/model-request.js';
import { APIS, type ProviderSetting, settingOf } from '../test-support/memory-providers.js';
import { ModelError } from './error/model-error.js';
import type { ModelProvider } from './provider.js';

const forecast: ModelTool = {
  name: 'get_forecast',
  description: 'The weather of tomorrow.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const requestOf = ({ model }: ProviderSetting, changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model,
  system: 'Be brief.',
  messages: [userText('What is the weather in Oslo?')],
  ...changes,
});

const read = async (provider: ModelProvider, request: ModelRequest): Promise<readonly ModelEvent[]> => {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request)) events.push(event);
  return events;
};

const textIn = (events: readonly ModelEvent[], type: 'text' | 'thinking'): string =>
  events.map((event) => (event.type === type ? event.text : '')).join('');

const failureOf = async (answer: Promise<unknown>): Promise<ModelError> => {
  const thrown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ModelError);
  return thrown as ModelError;
};

describe.each(APIS)('%s', (api) => {
  test('answers, with usage and finish', async () => {
    const setting = settingOf(api);
    setting.double.next({ text: 'Rain.', usage: { input: 7, output: 3, cachedInput: 0, reasoning: 0 } });
    const answer = await setting.provider.complete(requestOf(setting, { maxTokens: 100, temperature: 0.5 }));
    expect(answer.content).toEqual([{ type: 'text', text: 'Rain.' }]);
    expect(answer.finish.kind).toBe('stop');
    expect(answer.usage).toMatchObject({ input: 7, output: 3, total: 10, cachedInput: 0 });
    expect(setting.double.requests[0]?.maxTokens).toBe(100);
  });

  test('usage that was not reported is null, not 0', async () => {
    const setting = settingOf(api);
    setting.double.always({ text: 'Rain.', usage: null });
    const expected = { input: null, output: null, total: null, cachedInput: null, cacheWrite: null, reasoning: null };
    expect((await setting.provider.complete(requestOf(setting))).usage).toEqual(expected);
    const last = (await read(setting.provider, requestOf(setting))).at(-1);
    expect(last).toMatchObject({ answer: { usage: expected } });
  });

  test('streams text and parallel calls, and the last event is the whole answer', async () => {
    const setting = settingOf(api);
    setting.double.next({
      text: 'I will look at both cities.',
      toolCalls: [
        { id: 'a', name: 'get_forecast', arguments: { city: 'Oslo' } },
        { id: 'b', name: 'get_forecast', arguments: { city: 'Bergen' } },
      ],
    });
    const events = await read(setting.provider, requestOf(setting, { tools: [forecast] }));
    expect(events[0]).toMatchObject({ type: 'start' });
    expect(textIn(events, 'text')).toBe('I will look at both cities.');
    expect(events.filter(({ type }) => type === 'tool-call')).toEqual([
      { type: 'tool-call', index: 0, id: 'a', name: 'get_forecast' },
      { type: 'tool-call', index: 1, id: 'b', name: 'get_forecast' },
    ]);
    const second = events.flatMap((event) => (event.type === 'tool-arguments' && event.index === 1 ? event.text : []));
    expect(second.join('')).toBe('{"city":"Bergen"}');
    expect(events.filter(({ type }) => type === 'answer')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: 'answer',
      answer: {
        content: [
          { type: 'text', text: 'I will look at both cities.' },
          { type: 'tool-call', id: 'a', arguments: '{"city":"Oslo"}' },
          { type: 'tool-call', id: 'b', arguments: '{"city":"Bergen"}' },
        ],
        finish: { kind: 'tool-calls' },
        usage: { output: expect.any(Number) as number },
      },
    });
  });

  test('a whole answer and a streamed one are the same', async () => {
    const setting = settingOf(api);
    const turn = { text: 'Look:', toolCalls: [{ id: 'a', name: 'get_forecast', arguments: { city: 'Oslo' } }] };
    setting.double.next(turn, turn);
    const request = requestOf(setting, { tools: [forecast] });
    const { id: _one, ...whole } = await setting.provider.complete(request);
    const last = (await read(setting.provider, request)).at(-1);
    if (last?.type !== 'answer') throw new Error('There is no answer.');
    const { id: _other, ...streamed } = last.answer;
    expect(streamed).toEqual(whole);
  });

  test('results go back, several for one call are joined, missing ones are added', async () => {
    const setting = settingOf(api);
    setting.double.next((request) => ({ text: request.toolResults.join(' | ') }));
    const call = (id: string) => ({
      type: 'tool-call' as const,
      id,
      name: 'get_forecast',
      arguments: '{"city":"Oslo"}',
    });
    const result = (callId: string, text: string) => ({
      callId,
      name: 'get_forecast',
      text,
      media: [],
      isError: false,
    });
    const messages: readonly Message[] = [
      userText('And now?'),
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'tool', results: [result('a', 'rain'), result('a', 'snow'), result('stray', 'sun')] },
    ];
    const answer = await setting.provider.complete(requestOf(setting, { messages, tools: [forecast] }));
    expect(answer.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^rain\nsnow \|.*was not made/u) as string },
    ]);
  });

  test('pictures in results and questions are accepted', async () => {
    const setting = settingOf(api);
    setting.double.next({ text: 'A cloud.' });
    const media = [
      { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio' as const, data: 'aGk=', mimeType: 'audio/wav' },
    ];
    const messages: readonly Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, ...media] },
      { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'get_forecast', arguments: '' }] },
      { role: 'tool', results: [{ callId: 'a', name: 'get_forecast', text: '', media, isError: true }] },
    ];
    const answer = await setting.provider.complete(requestOf(setting, { messages, tools: [forecast] }));
    expect(answer.content).toHaveLength(1);
    expect(JSON.stringify(setting.double.requests[0]?.body)).toMatch(/aGk=/u);
  });

  test('lone surrogates, blank texts, empty messages and cut arguments reach no provider', async () => {
    const setting = settingOf(api);
    setting.double.next({ text: 'Yes.' });
    const messages: readonly Message[] = [
      { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      userText('  '),
      userText('Half a \uD83D face'),
      { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'get_forecast', arguments: '{"city": "Os' }] },
      {
        role: 'tool',
        results: [{ callId: 'a', name: 'get_forecast', text: 'Cut off.\uDC00', media: [], isError: true }],
      },
      { role: 'assistant', content: [] },
      userText('Go on.'),
      userText('Please.'),
    ];
    const properties = { city: { type: 'string', description: 'A \uD83D city.' } };
    const tools = [{ ...forecast, inputSchema: { type: 'object', properties } }];
    await setting.provider.complete(requestOf(setting, { messages, tools, system: 'Be \uD83D brief.' }));
    expect(setting.double.refusals).toEqual([]);
    expect(JSON.stringify(setting.double.requests[0]?.body)).toContain('Half a  face');
  });

  test.each([
    ['some_new_reason', 'other'],
    [null, 'stop'],
  ])('the finish %s is %s', async (finish, kind) => {
    const setting = settingOf(api);
    setting.double.always({ text: 'Hm.', ...(finish === null ? {} : { finish }) });
    const answer = await setting.provider.complete(requestOf(setting));
    expect(answer.finish.kind).toBe(kind);
    if (finish !== null) expect(answer.finish.raw).toBe(finish);
    expect((await read(setting.provider, requestOf(setting))).at(-1)).toMatchObject({ answer: { finish: { kind } } });
  });

  test('an answer that reached its limit is no failure, also when it is empty', async () => {
    const setting = settingOf(api);
    setting.double.next({ text: 'a'.repeat(200) });
    const answer = await setting.provider.complete(requestOf(setting, { maxTokens: 16 }));
    expect(answer.finish.kind).toBe('length');
  });

  test('an empty answer is a failure', async () => {
    const setting = settingOf(api);
    setting.double.always({});
    expect((await failureOf(setting.provider.complete(requestOf(setting)))).failure).toBe('empty-response');
    expect((await failureOf(read(setting.provider, requestOf(setting)))).failure).toBe('empty-response');
  });

  test('structured output', async () => {
    const setting = settingOf(api);
    const schema = {
      type: 'object',
      properties: { sky: { type: 'string' } },
      required: ['sky'],
      additionalProperties: false,
    };
    setting.double.always((request) =>
      request.tools.length === 0
        ? { text: '{"sky":"grey"}' }
        : { toolCalls: [{ name: request.tools[0]?.name ?? '', arguments: { sky: 'grey' } }] },
    );
    const request = requestOf(setting, { output: { schema } });
    const answer = await setting.provider.complete(request);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: '{"sky":"grey"}' }], finish: { kind: 'stop' } });
    expect(textIn(await read(setting.provider, request), 'text')).toBe('{"sky":"grey"}');
  });

  test('structured output by a schema that is not strict, if the request says so', async () => {
    // Providers accept only closed objects as strict.
    const judge: ToolJudge = (_api, tools) =>
      tools
        .filter(({ strict, inputSchema }) => strict && inputSchema['additionalProperties'] !== false)
        .map(({ name }) => ({ tool: name, message: "'additionalProperties' must be false" }));
    const setting = settingOf(api, { judge, features: { structuredOutput: 'schema' } });
    const schema = { type: 'object', properties: { sky: { type: 'string' } } };
    setting.double.always((request) =>
      request.tools.length === 0
        ? { text: '{"sky":"grey"}' }
        : { toolCalls: [{ name: request.tools[0]?.name ?? '', arguments: { sky: 'grey' } }] },
    );
    const request = requestOf(setting, { output: { schema, strict: false } });
    const answer = await setting.provider.complete(request);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: '{"sky":"grey"}' }], finish: { kind: 'stop' } });
    expect(textIn(await read(setting.provider, request), 'text')).toBe('{"sky":"grey"}');
  });

  test.each([
    [400, 'bad-request'],
    [401, 'authentication'],
    [402, 'credits'],
    [403, 'permission'],
    [404, 'not-found'],
    [408, 'timeout'],
    [413, 'context-window'],
    [422, 'bad-request'],
    [429, 'rate-limit'],
    [500, 'server'],
    [502, 'server'],
    [503, 'overloaded'],
    [529, 'overloaded'],
  ])('status %i is %s', async (status, failure) => {
    const setting = settingOf(api);
    setting.double.always({ fault: { status, headers: { 'retry-after': '7' } } });
    const error = await failureOf(setting.provider.complete(requestOf(setting)));
    expect(error.failure).toBe(failure);
    expect(error.provider).toBe(setting.provider.name);
    if (status === 429) expect(error.retryAfterMs).toBe(7000);
    expect((await failureOf(read(setting.provider, requestOf(setting)))).failure).toBe(failure);
  });

  test.each([
    ['Your credit balance is too low to access the API.', 400, 'credits'],
    ['You exceeded your current quota, please check your plan.', 429, 'credits'],
    ['prompt is too long: 200001 tokens > 200000 maximum', 400, 'context-window'],
    ['Overloaded', 500, 'overloaded'],
  ])('%s', async (message, status, failure) => {
    const setting = settingOf(api);
    setting.double.next({ fault: { status, message } });
    expect((await failureOf(setting.provider.complete(requestOf(setting)))).failure).toBe(failure);
  });

  test('a conversation that is too long, an unknown model, a wrong key', async () => {
    const setting = settingOf(api);
    const long = requestOf(setting, { messages: [userText('word '.repeat(100_000))] });
    expect((await failureOf(setting.provider.complete(long))).failure).toBe('context-window');
    const unknown = requestOf(setting, { model: 'no-such-model' });
    expect((await failureOf(setting.provider.complete(unknown))).failure).toBe('not-found');
    const stranger = settingOf(api, { apiKey: 'sk-of-somebody-else' });
    const refused = await failureOf(stranger.provider.complete(requestOf(stranger)));
    expect(refused.failure).toBe('authentication');
    expect(refused.message).not.toContain('sk-of-somebody-else');
  });

  test('a provider that repeats the key does not reveal it', async () => {
    const setting = settingOf(api);
    const key = api === 'bedrock' ? DOUBLE_CREDENTIALS.secretAccessKey : DOUBLE_KEY;
    setting.double.next({ fault: { status: 401, message: `The key ${key} is wrong.` } });
    expect((await failureOf(setting.provider.complete(requestOf(setting)))).message).toContain(
      'The key [redacted] is wrong.',
    );
  });

  test('faults in the middle of a stream', async () => {
    const setting = settingOf(api);
    const text = 'a text that is long enough';
    setting.double.next({ text, fault: { cutAfter: 3 } });
    expect((await failureOf(read(setting.provider, requestOf(setting)))).failure).toBe('connection');
    setting.double.next({ text, fault: { errorAfter: 3 } });
    const reported = await failureOf(read(setting.provider, requestOf(setting)));
    expect(['overloaded', 'server', 'rate-limit']).toContain(reported.failure);
    setting.double.next({ text, tamperStream: (pieces) => pieces.slice(0, 4) });
    expect((await failureOf(read(setting.provider, requestOf(setting)))).failure).toBe('connection');
  });

  test('cancellation throws the reason of the signal', async () => {
    const setting = settingOf(api);
    setting.double.always({ text: 'a long text', fault: { everyMs: 1 } });
    const controller = new AbortController();
    const reading = (async () => {
      for await (const event of setting.provider.stream(requestOf(setting), { signal: controller.signal })) {
        if (event.type === 'text') controller.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    await expect(setting.provider.complete(requestOf(setting), { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
  });

  test('marks for the cache, calls one at a time, and the choice of a tool are accepted', async () => {
    const setting = settingOf(api);
    setting.double.always({ toolCalls: [{ name: 'get_forecast', arguments: {} }] });
    const shared = {
      tools: [forecast],
      cache: true,
      parallelToolCalls: false,
      stop: ['END'],
      clearOldToolResults: true,
    };
    for (const toolChoice of ['auto', 'required', 'none', { tool: 'get_forecast' }] as const) {
      await setting.provider.complete(requestOf(setting, { ...shared, toolChoice }));
    }
    expect(setting.double.refusals).toEqual([]);
    expect(setting.double.requests).toHaveLength(4);
  });
});
