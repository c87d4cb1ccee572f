import { ApiError, type Content, type FunctionDeclaration, GoogleGenAI, type Part, Type } from '@google/genai';
import { describe, expect, test } from 'vitest';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from './index.js';

const clientOf = (double: LlmDouble, apiKey = DOUBLE_KEY): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: double.url } });

const model = 'gemini-double';
const ask: Content = { role: 'user', parts: [{ text: 'What is the weather in Oslo?' }] };
const forecast: FunctionDeclaration = {
  name: 'get_forecast',
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
};
const config = { tools: [{ functionDeclarations: [forecast] }] };

const OSLO = { name: 'get_forecast', arguments: { city: 'Oslo' } };

describe('over a socket, asked by the official SDK of Gemini', () => {
  test('a completion with usage', async () => {
    await using double = await llmDouble();
    double.next({ text: 'Rain.', usage: { input: 5, output: 6, reasoning: 4, cachedInput: 3 } });
    const answer = await clientOf(double).models.generateContent({ model, contents: [ask] });
    expect([answer.text, answer.candidates?.[0]?.finishReason, answer.modelVersion]).toEqual(['Rain.', 'STOP', model]);
    expect(answer.usageMetadata).toMatchObject({
      promptTokenCount: 5,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 4,
      cachedContentTokenCount: 3,
      totalTokenCount: 11,
    });
  });

  test('parallel calls, and the conversation goes on with their results', async () => {
    await using double = await llmDouble();
    double.next({ toolCalls: [OSLO, { ...OSLO, arguments: { city: 'Bergen' } }] }, ({ toolResults }) => ({
      text: toolResults.join(' and '),
    }));
    const client = clientOf(double);
    const first = await client.models.generateContent({ model, contents: [ask], config });
    const calls = first.functionCalls ?? [];
    expect(calls.map(({ args }) => args)).toEqual([{ city: 'Oslo' }, { city: 'Bergen' }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    const results: Content = {
      role: 'user',
      parts: calls.map(({ id = '', name = '' }, at) => ({
        functionResponse: { id, name, response: { output: at === 0 ? 'Rain' : 'Sun' } },
      })),
    };
    const said = first.candidates?.[0]?.content ?? {};
    const answer = await client.models.generateContent({ model, contents: [ask, said, results], config });
    expect(answer.text).toBe('Rain and Sun');
    expect(double.requests[0]?.tools).toEqual([
      {
        name: 'get_forecast',
        strict: false,
        inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ]);
    expect(double.refusals).toEqual([]);
  });

  test('a stream with thoughts, text and a call', async () => {
    await using double = await llmDouble();
    double.next({ thinking: 'The user wants the weather.', text: 'I will look at it.', toolCalls: [OSLO] });
    const stream = await clientOf(double).models.generateContentStream({ model, contents: [ask], config });
    const parts: Part[] = [];
    const finishes: unknown[] = [];
    for await (const chunk of stream) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      finishes.push(chunk.candidates?.[0]?.finishReason);
      if (finishes.at(-1) !== undefined) expect(chunk.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    }
    const said = (isThought: boolean): string =>
      parts.flatMap(({ text = '', thought = false }) => (thought === isThought ? [text] : [])).join('');
    expect([said(true), said(false)]).toEqual(['The user wants the weather.', 'I will look at it.']);
    expect(parts.flatMap(({ functionCall }) => functionCall ?? [])).toMatchObject([
      { name: 'get_forecast', args: { city: 'Oslo' } },
    ]);
    expect(finishes.filter((reason) => reason !== undefined)).toEqual(['STOP']);
    expect(finishes.at(-1)).toBe('STOP');
  });

  test('limits and calls that are not JSON have their own finish', async () => {
    await using double = await llmDouble();
    double.next({ text: 'a long text that is cut' }, { toolCalls: [{ ...OSLO, arguments: '{"city":' }] });
    const { models } = clientOf(double);
    const cut = await models.generateContent({ model, contents: [ask], config: { maxOutputTokens: 2 } });
    expect([cut.text, cut.candidates?.[0]?.finishReason]).toEqual(['a long t', 'MAX_TOKENS']);
    const broken = await models.generateContent({ model, contents: [ask], config });
    expect([broken.functionCalls, broken.candidates?.[0]?.finishReason]).toEqual([
      undefined,
      'MALFORMED_FUNCTION_CALL',
    ]);
  });

  test.each([
    [400, 'INVALID_ARGUMENT'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('status %i is the error of the SDK', async (status, word) => {
    await using double = await llmDouble();
    double.always({ fault: { status, message: 'No.' } });
    const asked = clientOf(double).models.generateContent({ model, contents: [ask] });
    await expect(asked).rejects.toThrow(ApiError);
    await expect(asked).rejects.toMatchObject({
      status,
      message: expect.stringContaining(`"status":"${word}"`) as string,
    });
  });

  test('a wrong key, an unknown model and a prompt that is too long', async () => {
    await using double = await llmDouble({ models: { [model]: { contextTokens: 10 } } });
    double.always({ text: 'Yes.' });
    const contents = [ask];
    await expect(clientOf(double, 'wrong').models.generateContent({ model, contents })).rejects.toThrow(
      'API_KEY_INVALID',
    );
    await expect(clientOf(double).models.generateContent({ model: 'none', contents })).rejects.toMatchObject({
      status: 404,
    });
    const long = [{ role: 'user', parts: [{ text: 'word '.repeat(20) }] }];
    await expect(clientOf(double).models.generateContent({ model, contents: long })).rejects.toThrow(
      'exceeds the maximum',
    );
  });

  test('a cut, a broken and a failing stream; cancellation', async () => {
    await using double = await llmDouble();
    const { models } = clientOf(double);
    const read = async (): Promise<void> => {
      const stream = await models.generateContentStream({ model, contents: [ask] });
      for await (const chunk of stream) expect(chunk).toBeDefined();
    };
    double.next({ text: 'a long text', fault: { cutAfter: 1 } });
    await expect(read()).rejects.toThrow(/terminated|closed|aborted|ECONNRESET/iu);
    double.next({ text: 'a long text', fault: { malformedAfter: 1 } });
    await expect(read()).rejects.toThrow(/JSON|parsing/iu);
    double.next({ text: 'a long text', fault: { errorAfter: 1 } });
    await expect(read()).rejects.toThrow(/overloaded/iu);
    double.always({ fault: 'hang' });
    const abortSignal = AbortSignal.timeout(20);
    await expect(models.generateContent({ model, contents: [ask], config: { abortSignal } })).rejects.toThrow(
      /abort/iu,
    );
  });
});
