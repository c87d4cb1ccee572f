import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from './index.js';

const clientOf = (double: LlmDouble, apiKey = DOUBLE_KEY): OpenAI =>
  new OpenAI({ apiKey, baseURL: double.openaiUrl, maxRetries: 0 });

const model = 'gpt-double';
const ask = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }];
const weather = {
  type: 'function' as const,
  function: {
    name: 'get_forecast',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe('over a socket, asked by the official SDK of OpenAI', () => {
  test('a stream, assembled by the helper of the SDK', async () => {
    await using double = await llmDouble();
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

  test('the SDK retries after 429 by itself', async () => {
    await using double = await llmDouble();
    double.next({ fault: { status: 429, headers: { 'retry-after-ms': '1' } } }, { text: 'now' });
    const client = new OpenAI({ apiKey: DOUBLE_KEY, baseURL: double.openaiUrl, maxRetries: 1 });
    const answer = await client.chat.completions.create({ model, messages: ask });
    expect(answer.choices[0]?.message.content).toBe('now');
    expect(double.requests).toHaveLength(2);
  });

  test('faults in the middle of a stream', async () => {
    await using double = await llmDouble();
    const client = clientOf(double);
    const read = async (): Promise<void> => {
      const stream = await client.chat.completions.create({ model, messages: ask, stream: true });
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
    };
    double.next({ text: 'a long text', fault: { cutAfter: 2 } });
    await expect(read()).rejects.toThrow(/terminated|aborted|closed|ECONNRESET/u);
    double.next({ text: 'a long text', fault: { malformedAfter: 2 } });
    await expect(read()).rejects.toThrow(SyntaxError);
    double.next({ text: 'a long text', fault: { errorAfter: 2 } });
    await expect(read()).rejects.toThrow(OpenAI.APIError);
    double.next({ text: 'slow', fault: { everyMs: 1 } });
    await read();
  });

  test('time-out, cancellation, and nobody there', async () => {
    const double = await llmDouble();
    double.always({ fault: 'hang' });
    const client = clientOf(double);
    await expect(client.chat.completions.create({ model, messages: ask }, { timeout: 20 })).rejects.toThrow(
      OpenAI.APIConnectionTimeoutError,
    );
    const controller = new AbortController();
    const call = client.chat.completions.create({ model, messages: ask }, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toThrow(OpenAI.APIUserAbortError);
    await double.close();
    const late = client.chat.completions.create({ model, messages: ask });
    await expect(late).rejects.toThrow(OpenAI.APIConnectionError);
  });
});
