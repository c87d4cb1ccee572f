import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from './index.js';

const clientOf = (double: LlmDouble, apiKey = DOUBLE_KEY): Anthropic =>
  new Anthropic({ apiKey, baseURL: double.url, maxRetries: 0 });

const base = { model: 'claude-double', max_tokens: 2000 };
const ask = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }];
const weather: Anthropic.Tool = {
  name: 'get_forecast',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('over a socket, asked by the official SDK of Anthropic', () => {
  test('a stream with thinking, text and two calls', async () => {
    await using double = await llmDouble();
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

  test('a cut, a broken and a failing stream', async () => {
    await using double = await llmDouble();
    const client = clientOf(double);
    const read = (): Promise<unknown> => client.messages.stream({ ...base, messages: ask }).finalMessage();
    double.next({ text: 'a long text', fault: { cutAfter: 4 } });
    await expect(read()).rejects.toThrow(/terminated|closed|aborted|ECONNRESET|connection/iu);
    double.next({ text: 'a long text', fault: { malformedAfter: 4 } });
    await expect(read()).rejects.toThrow(/JSON/u);
    double.next({ text: 'a long text', fault: { errorAfter: 4 } });
    await expect(read()).rejects.toThrow(/Overloaded/u);
  });

  test('time-out, cancellation, and nobody there', async () => {
    const double = await llmDouble();
    double.always({ fault: 'hang' });
    const client = clientOf(double);
    const timed = client.messages.create({ ...base, messages: ask }, { timeout: 20 });
    await expect(timed).rejects.toThrow(Anthropic.APIConnectionTimeoutError);
    const controller = new AbortController();
    const call = client.messages.create({ ...base, messages: ask }, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toThrow(Anthropic.APIUserAbortError);
    await double.close();
    await expect(client.messages.create({ ...base, messages: ask })).rejects.toThrow(Anthropic.APIConnectionError);
  });
});
