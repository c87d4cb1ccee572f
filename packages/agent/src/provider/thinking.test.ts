import { describe, expect, test } from 'vitest';
import { type Message, userText } from '../conversation/message.js';
import type { ModelAnswer } from '../conversation/model-answer.js';
import type { Turn } from '@plugboard/testing/llm';
import { APIS, settingOf } from '../test-support/memory-providers.js';
import { collectAnswer } from './provider.js';

const features = { reasoning: true, developerRole: true, thinking: 'budget', contextEditing: true } as const;
const tool = { name: 'look', inputSchema: { type: 'object', properties: {} } };

const continued = ({ content }: ModelAnswer): readonly Message[] => [
  userText('Think.'),
  { role: 'assistant', content },
  { role: 'tool', results: [{ callId: 'a', name: 'look', text: 'seen', media: [], isError: false }] },
];

describe.each(APIS.filter((api) => api !== 'openai-chat'))('%s', (api) => {
  test.each([
    ['thoughts are read, streamed, and given back as the provider requires', undefined],
    ['so are those of a provider with a name of its own', 'mine'],
  ])('%s', async (_, name) => {
    const setting = settingOf(api, { features, ...(name === undefined ? {} : { name }) });
    const { provider, model, double } = setting;
    const turn = { thinking: 'Let me see.', toolCalls: [{ id: 'a', name: 'look', arguments: {} }] };
    double.next(turn, turn, { text: 'Done.' }, { text: 'Done.' });
    const request = { model, messages: [userText('Think.')], tools: [tool], thinking: { effort: 'low' } } as const;
    const whole = await provider.complete(request);
    const streamed = await collectAnswer(provider.stream(request));
    for (const answer of [whole, streamed]) {
      expect(answer.content[0]).toMatchObject({ type: 'thinking', text: 'Let me see.' });
      await provider.complete({ ...request, messages: continued(answer) });
    }
    const bodies = double.requests.slice(2).map(({ body }) => JSON.stringify(body));
    for (const body of bodies) expect(body).toContain('Let me see.');
    if (api !== 'openai-responses') for (const body of bodies) expect(body).toContain('c2lnbmF0dXJl');
  });

  test('thoughts of another provider are left out', async () => {
    const { provider, model, double } = settingOf(api, { features });
    double.next({ text: 'Yes.' });
    const opaque = { provider: 'other', value: { type: 'secret' } };
    const messages: readonly Message[] = [
      userText('Hi.'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Foreign.', opaque },
          { type: 'text', text: 'Hello.' },
        ],
      },
      userText('Well?'),
    ];
    await provider.complete({ model, messages, thinking: {} });
    expect(JSON.stringify(double.requests[0]?.body)).not.toMatch(/Foreign|secret/u);
  });
});

test('Bedrock: thoughts that it hides are kept as JSON, and given back as they came', async () => {
  const { provider, model, double } = settingOf('bedrock', { features });
  const hidden = { reasoningContent: { redactedContent: 'AQID' } };
  const turn: Turn = {
    toolCalls: [{ id: 'a', name: 'look', arguments: {} }],
    tamper: ({ output, ...body }) => {
      const { message } = output as { message: { content: object[] } };
      return { ...body, output: { message: { ...message, content: [hidden, ...message.content] } } };
    },
    tamperStream: (pieces) => [
      ...pieces.slice(0, 1),
      { event: 'contentBlockDelta', data: { contentBlockIndex: 9, delta: hidden } },
      ...pieces.slice(1),
    ],
  };
  double.next(turn, turn);
  double.always({ text: 'Done.' });
  const request = { model, messages: [userText('Think.')], tools: [tool] };
  for (const answer of [await provider.complete(request), await collectAnswer(provider.stream(request))]) {
    const kept = JSON.parse(JSON.stringify(answer)) as ModelAnswer;
    await provider.complete({ ...request, messages: continued(kept) });
    expect(JSON.stringify(double.requests.at(-1)?.body)).toContain(JSON.stringify(hidden));
  }
});

test('Anthropic: a budget of at least 1,024, room for it, no forced tool, and the beta features', async () => {
  const { provider, model, double } = settingOf('anthropic', { features });
  double.always({ text: 'Yes.' });
  const messages: readonly Message[] = [userText('Hi.'), { role: 'assistant', content: [{ type: 'text', text: 'I' }] }];
  await collectAnswer(
    provider.stream({
      model,
      messages,
      tools: [tool],
      toolChoice: 'required',
      thinking: { budgetTokens: 10 },
      maxTokens: 500,
      temperature: 0,
      clearOldToolResults: true,
    }),
  );
  expect(double.refusals).toEqual([]);
  const [request] = double.requests;
  expect(request?.body).toMatchObject({
    thinking: { type: 'enabled', budget_tokens: 1024 },
    max_tokens: 1524,
    tool_choice: { type: 'auto' },
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  });
  expect(request?.headers['anthropic-beta']).toBe(
    'fine-grained-tool-streaming-2025-05-14,interleaved-thinking-2025-05-14,context-management-2025-06-27',
  );
});

test('Anthropic: models that decide how much they think get an effort instead of a budget', async () => {
  const { provider, model, double } = settingOf('anthropic', {
    features: { thinking: 'adaptive', effort: true, structuredOutput: 'schema' },
  });
  double.next({ text: '{}' });
  await provider.complete({
    model,
    messages: [userText('Hi.')],
    thinking: { effort: 'high' },
    output: { schema: { type: 'object', properties: {}, additionalProperties: false } },
  });
  expect(double.requests[0]?.body).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'high', format: { type: 'json_schema' } },
  });
});

test.each(['anthropic', 'bedrock'] as const)(
  '%s: models that always think get no temperature, no forced tool and no begun answer',
  async (api) => {
    const { provider, model, double } = settingOf(api, {
      features: { thinking: 'adaptive', effort: true, alwaysThinks: true },
    });
    double.next({ text: 'Yes.' }, { text: 'Yes.' });
    const request = { model, messages: [userText('Hi.')], tools: [tool], toolChoice: 'required' } as const;
    await provider.complete({ ...request, temperature: 0.2 });
    await provider.complete({ ...request, thinking: { effort: 'low' } });
    const [plain, thinking] = double.requests.map(({ body }) => JSON.stringify(body));
    expect(plain).not.toMatch(/temperature|"any"|"thinking"/u);
    expect(thinking).toContain('"thinking":{"type":"adaptive"}');
    expect(thinking).toContain('"effort":"low"');
    expect(thinking).not.toContain('budget_tokens');
  },
);

test('OpenAI: reasoning models get an effort, instructions of the developer, and no temperature', async () => {
  const { provider, double } = settingOf('openai-chat', { features });
  double.next({ text: 'Yes.' });
  const request = { system: 'Be brief.', messages: [userText('Hi.')], temperature: 0.2, parallelToolCalls: true };
  await provider.complete({ ...request, model: 'o-double', thinking: { effort: 'high' }, tools: [tool] });
  expect(double.requests[0]?.body).toMatchObject({
    reasoning_effort: 'high',
    messages: [{ role: 'developer' }, { role: 'user' }],
  });
  expect(double.requests[0]?.body).not.toHaveProperty('temperature');
  expect(double.requests[0]?.body).not.toHaveProperty('parallel_tool_calls');
});

test('OpenAI: thoughts in the members that proxies use', async () => {
  const { provider, model, double } = settingOf('openai-chat');
  const thought = { reasoning_content: 'Hm.' };
  double.next({
    text: 'Yes.',
    tamper: (body) => ({ ...body, choices: [{ message: { content: 'Yes.', ...thought }, finish_reason: 'stop' }] }),
  });
  double.next({
    text: 'Yes.',
    tamperStream: ([first, ...rest]) => [
      ...(first === undefined ? [] : [first]),
      { data: { id: 'x', model, choices: [{ index: 0, delta: { reasoning: 'Hm.' } }] } },
      ...rest,
    ],
  });
  const expected = [
    { type: 'thinking', text: 'Hm.' },
    { type: 'text', text: 'Yes.' },
  ];
  const messages = [userText('Hi.')];
  expect((await provider.complete({ model, messages })).content).toEqual(expected);
  expect((await collectAnswer(provider.stream({ model, messages }))).content.toSorted(byType)).toEqual(
    expected.toSorted(byType),
  );
});

const byType = (a: { readonly type: string }, b: { readonly type: string }): number => a.type.localeCompare(b.type);
