import { openAiChatProvider } from '@plugboard/agent';
import type { AgentModel } from '@plugboard/contract';
import { DOUBLE_KEY, MemoryLlm } from '@plugboard/testing/llm';
import { expect, test } from 'vitest';
import { samplingQuestions } from './sampling-questions.js';

const signal = new AbortController().signal;
const params = { messages: [{ role: 'user', content: { type: 'text', text: 'A title?' } }], maxTokens: 1000 };

const open = (more: Partial<AgentModel>) => {
  const double = new MemoryLlm();
  double.always({ text: 'A fine year' });
  const provider = openAiChatProvider({ apiKey: DOUBLE_KEY, baseUrl: double.openaiUrl, fetch: double.fetch });
  return { double, questionsOf: samplingQuestions({ provider: 'openai', name: 'gpt-double', ...more }, provider) };
};

test('only servers that the agent names may ask, and nothing else than the model', async () => {
  expect(open({}).questionsOf('reports')).toBeUndefined();
  const { double, questionsOf } = open({ sampling_servers: ['reports'], max_tokens: 70 });
  expect(questionsOf('other')).toBeUndefined();
  const questions = questionsOf('reports');
  expect(questions?.capabilities).toEqual({ sampling: {} });
  expect(await questions?.ask('sampling/createMessage', params, signal)).toMatchObject({
    content: { text: 'A fine year' },
  });
  expect(double.requests[0]?.maxTokens).toBe(70);
  await expect(questions?.ask('elicitation/create', {}, signal)).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
});

test('all servers together may ask 20 times in a run', async () => {
  const { double, questionsOf } = open({ sampling_servers: ['a', 'b'] });
  for (let at = 0; at < 20; at += 1) {
    await questionsOf(at % 2 === 0 ? 'a' : 'b')?.ask('sampling/createMessage', params, signal);
  }
  await expect(questionsOf('a')?.ask('sampling/createMessage', params, signal)).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  expect(double.requests).toHaveLength(20);
});

test.each([
  ['messages', { messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(300_000) } }] }],
  ['a system prompt', { ...params, systemPrompt: 'x'.repeat(300_000) }],
])('all servers together may send 512 KiB to the model in a run, as %s', async (_, large) => {
  const { double, questionsOf } = open({ sampling_servers: ['a', 'b'] });
  await questionsOf('a')?.ask('sampling/createMessage', large, signal);
  await expect(questionsOf('b')?.ask('sampling/createMessage', large, signal)).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  expect(double.requests).toHaveLength(1);
});
