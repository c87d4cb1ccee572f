import { expect, test } from 'vitest';
import { createInMemory, serve } from '../test-support/memory-agent.js';
import { settingOf } from '../test-support/memory-providers.js';
import { answerSampling, type SamplingQuestion } from './answer-sampling.js';

const { signal } = new AbortController();
const params = {
  messages: [
    { role: 'user', content: { type: 'text', text: 'Summarise this.' } },
    { role: 'assistant', content: { type: 'text', text: 'What?' } },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'This:' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      ],
    },
  ],
  systemPrompt: 'Be brief.',
  maxTokens: 100_000,
  temperature: 0.5,
  stopSequences: ['END'],
};

const handlerFor = (consent: (question: SamplingQuestion) => boolean) => {
  const { provider, double, model } = settingOf('openai-chat');
  double.always({ text: 'Short.' });
  return { double, handle: answerSampling({ provider, model, server: 'notes', consent }) };
};

test('the model answers if the user consents, within the limit of the user', async () => {
  const asked: SamplingQuestion[] = [];
  const { double, handle } = handlerFor((question) => asked.push(question) > 0);
  expect(await handle({ method: 'sampling/createMessage', params, signal })).toEqual({
    role: 'assistant',
    content: { type: 'text', text: 'Short.' },
    model: 'gpt-double',
    stopReason: 'endTurn',
  });
  expect(asked).toMatchObject([{ server: 'notes', system: 'Be brief.', maxTokens: 100_000 }]);
  expect(double.requests[0]?.maxTokens).toBe(4096);
});

test('without consent, no model is asked', async () => {
  const { double, handle } = handlerFor(() => false);
  await expect(handle({ method: 'sampling/createMessage', params, signal })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  expect(double.requests).toEqual([]);
});

test.each([
  ['nothing', {}],
  ['an unknown role', { messages: [{ role: 'king', content: { type: 'text', text: 'Hi' } }] }],
  ['an unknown content', { messages: [{ role: 'user', content: { type: 'smell' } }] }],
])('%s is refused', async (_, wrong) => {
  const { handle } = handlerFor(() => true);
  await expect(handle({ method: 'sampling/createMessage', params: wrong, signal })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
});

test('a server that asks during a call gets the answer', async () => {
  const { handle } = handlerFor(() => true);
  const { url } = await serve(['sample']);
  const config = { mcp_server_type: 'streamable_http' as const, server_url: url };
  const agent = { name: 'bot', servers: [{ name: 'notes', config }] };
  await using tools = await createInMemory(agent, { sampling: () => handle });
  const outcome = await tools.tools[0]?.call({ prompt: 'Hi' });
  expect(JSON.stringify(outcome?.content)).toContain('Short.');
});
