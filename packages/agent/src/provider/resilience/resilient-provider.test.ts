import { describe, expect, test } from 'vitest';
import { userText } from '../../conversation/message.js';
import { settingOf } from '../../test-support/memory-providers.js';
import { collectAnswer } from '../provider.js';
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
    await expect(tired.complete(request)).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(double.requests).toHaveLength(5);
  });
});
