import { describe, expect, test } from 'vitest';
import { userText } from '../../conversation/message.js';
import { settingOf } from '../../test-support/memory-providers.js';
import { ModelError } from '../error/model-error.js';
import { collectAnswer, type ModelBatches, type ModelProvider } from '../provider.js';
import { createModelCircuits } from './model-circuits.js';
import { resilientProvider } from './resilient-provider.js';

const request = { model: 'gpt-double', messages: [userText('Hi.')] };
const busy = { fault: { status: 503 } };

describe('a request', () => {
  test('is sent again after a passing failure, and not before the provider allows it', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.next({ fault: { status: 429, headers: { 'retry-after-ms': '3' } } }, busy, { text: 'now' });
    const waits: number[] = [];
    const patient = resilientProvider(provider, { random: () => 0, onRetry: (_, waitMs) => void waits.push(waitMs) });
    expect((await patient.complete(request)).content).toEqual([{ type: 'text', text: 'now' }]);
    expect(waits).toEqual([3, 0]);
  });

  test('waits a random time below a ceiling that doubles', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.always(busy);
    const waits: number[] = [];
    const patient = resilientProvider(provider, {
      retries: 3,
      random: () => 0.001,
      onRetry: (_, waitMs) => void waits.push(waitMs),
    });
    await expect(patient.complete(request)).rejects.toMatchObject({ failure: 'overloaded' });
    expect(waits).toEqual([1, 2, 4]);
    expect(double.requests).toHaveLength(4);
  });

  test.each([
    ['a bad request', { fault: { status: 400 } }],
    ['a wrong key', { fault: { status: 401 } }],
    ['used-up credits', { fault: { status: 402 } }],
    ['a provider that asks for an hour', { fault: { status: 429, headers: { 'retry-after': '3600' } } }],
  ])('is not sent again after %s', async (_, turn) => {
    const { provider, double } = settingOf('openai-chat');
    double.always(turn);
    await expect(resilientProvider(provider, { random: () => 0 }).complete(request)).rejects.toThrow('openai');
    expect(double.requests).toHaveLength(1);
  });

  test('is cancelled while it waits', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.always({ fault: { status: 429, headers: { 'retry-after': '20' } } });
    const controller = new AbortController();
    const patient = resilientProvider(provider, { onRetry: () => controller.abort(new Error('enough')) });
    await expect(patient.complete(request, { signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('a stream', () => {
  test('is opened again when it fails before its first event', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.next(busy, { text: 'now' });
    const answer = await collectAnswer(resilientProvider(provider, { random: () => 0 }).stream(request));
    expect(answer.content).toEqual([{ type: 'text', text: 'now' }]);
  });

  test.each(['anthropic', 'openai-responses', 'bedrock'] as const)(
    'is opened again when %s begins it and then fails, without a word of the answer',
    async (api) => {
      const { provider, double, model } = settingOf(api);
      double.next({ text: 'a text that is long enough', fault: { errorAfter: 1 } }, { text: 'now' });
      const patient = resilientProvider(provider, { random: () => 0 });
      const types: string[] = [];
      for await (const { type } of patient.stream({ ...request, model })) types.push(type);
      expect(types).toEqual(['start', 'text', 'answer']);
      expect(double.requests).toHaveLength(2);
    },
  );

  test('is not opened again when a part of it was passed on', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.always({ text: 'a text that is long enough', fault: { cutAfter: 3 } });
    const events = resilientProvider(provider, { random: () => 0 }).stream(request);
    await expect(collectAnswer(events)).rejects.toMatchObject({ failure: 'connection' });
    expect(double.requests).toHaveLength(1);
  });
});

describe('the fallback', () => {
  test('answers in place of a model that is overloaded, also of another provider', async () => {
    const first = settingOf('openai-chat');
    const second = settingOf('anthropic');
    first.double.always(busy);
    second.double.always({ text: 'I am here.' });
    const both = resilientProvider(first.provider, {
      retries: 0,
      fallback: { provider: second.provider, model: second.model },
    });
    expect((await both.complete(request)).model).toBe('claude-double');
    expect((await collectAnswer(both.stream(request))).model).toBe('claude-double');
    both.close();
  });

  test('does not answer what the first one called wrong', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.always({ fault: { status: 400 } });
    const both = resilientProvider(provider, { fallback: { model: 'o-double' } });
    await expect(both.complete(request)).rejects.toMatchObject({ failure: 'bad-request' });
    expect(double.requests).toHaveLength(1);
  });

  test('a provider that keeps failing is not asked for a while', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.always(busy);
    const tired = resilientProvider(provider, { retries: 0 });
    for (let call = 0; call < 5; call += 1) await expect(tired.complete(request)).rejects.toThrow('overloaded');
    await expect(tired.complete(request)).rejects.toMatchObject({
      code: 'CIRCUIT_OPEN',
      message: expect.stringContaining('The provider openai failed repeatedly') as string,
    });
    expect(double.requests).toHaveLength(5);
  });

  test('requests that were cancelled say nothing about it', async () => {
    const { provider, double } = settingOf('openai-chat');
    const circuits = createModelCircuits();
    const resilient = resilientProvider(provider, { retries: 0, circuits });
    double.always({ fault: 'hang' });
    for (let call = 0; call < 20; call += 1) {
      const cancel = new AbortController();
      const asked = resilient.complete(request, { signal: cancel.signal });
      cancel.abort(new Error('enough'));
      await expect(asked).rejects.toThrow('enough');
    }
    expect(circuits.main.state()).toEqual({ status: 'closed', calls: 0, failures: 0 });
    double.always(busy);
    for (let call = 0; call < 5; call += 1) await expect(resilient.complete(request)).rejects.toThrow('overloaded');
    await expect(resilient.complete(request)).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
  });

  test('its failures are remembered by providers that share the circuits', async () => {
    const { provider, double } = settingOf('openai-chat');
    double.always(busy);
    const circuits = createModelCircuits();
    const ask = () => resilientProvider(provider, { retries: 0, circuits }).complete(request);
    for (let call = 0; call < 5; call += 1) await expect(ask()).rejects.toThrow('overloaded');
    await expect(ask()).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(double.requests).toHaveLength(5);
  });
});

describe('what is beside the answers', () => {
  /** A provider whose services fail so often, and then work. */
  const failing = (times: number, failure: ModelError['failure']): { provider: ModelProvider; asked: () => number } => {
    const { provider } = settingOf('openai-chat');
    let asked = 0;
    const answer = async <Answer>(value: Answer): Promise<Answer> => {
      asked += 1;
      if (asked <= times) throw new ModelError(failure, { provider: 'openai' });
      return value;
    };
    const state = { id: 'batch', done: true, status: 'completed' };
    const batches: ModelBatches = {
      submit: () => answer(state),
      poll: () => answer(state),
      cancel: () => answer(state),
      results: () => answer([]),
    };
    const services = { countTokens: () => answer(7), embed: () => answer([[1]]), batches };
    return { provider: { ...provider, ...services }, asked: () => asked };
  };

  const SERVICES: Readonly<Record<string, (provider: ModelProvider) => Promise<unknown> | undefined>> = {
    countTokens: (provider) => provider.countTokens?.(request),
    embed: (provider) => provider.embed?.('embedding-double', ['a']),
    submit: (provider) => provider.batches?.submit([{ id: 'a', request }]),
    poll: (provider) => provider.batches?.poll('batch'),
    cancel: (provider) => provider.batches?.cancel('batch'),
    results: (provider) => provider.batches?.results('batch'),
  };

  test.each(Object.entries(SERVICES))('%s is asked again', async (_, ask) => {
    const { provider, asked } = failing(2, 'rate-limit');
    await ask(resilientProvider(provider, { random: () => 0 }));
    expect(asked()).toBe(3);
  });

  test('a batch that may have been accepted is not submitted again', async () => {
    const { provider, asked } = failing(1, 'connection');
    const batches = resilientProvider(provider, { random: () => 0 });
    await expect(SERVICES['submit']?.(batches)).rejects.toMatchObject({ failure: 'connection' });
    expect(asked()).toBe(1);
    await SERVICES['poll']?.(batches);
  });

  test('a provider without a service has none', () => {
    const { countTokens, embed } = resilientProvider(settingOf('anthropic').provider);
    expect([typeof countTokens, typeof embed]).toEqual(['function', 'undefined']);
  });
});
