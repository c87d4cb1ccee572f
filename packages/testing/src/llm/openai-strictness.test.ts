import { expect, test } from 'vitest';
import { DOUBLE_KEY } from './scripted-llm.js';
import { MemoryLlm } from './memory-llm.js';

const user = { role: 'user', content: 'Hi' };
const tool = (name: string, parameters: object = { type: 'object', properties: {} }) => ({
  type: 'function',
  function: { name, parameters },
});
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'a', arguments: '{}' } }],
};

const CHAT: readonly (readonly [string, object, RegExp])[] = [
  ['no messages', { messages: [] }, /at least one message/u],
  ['an unknown parameter', { messages: [user], colour: 'red' }, /Unknown parameter: 'colour'/u],
  ['a role that does not exist', { messages: [{ role: 'robot', content: 'Hi' }] }, /no role/u],
  ['a message without content', { messages: [{ role: 'assistant', content: null }] }, /got null/u],
  ['a call without its result', { messages: [user, call, user] }, /must be followed/u],
  ['a call at the end', { messages: [user, call] }, /must be followed/u],
  [
    'a result without a call',
    { messages: [user, { role: 'tool', tool_call_id: 'x', content: '' }] },
    /must be a response/u,
  ],
  [
    'a picture in the result of a tool',
    {
      messages: [
        user,
        call,
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
      ],
    },
    /role 'tool' has 'image_url', but only text/u,
  ],
  ['a part of another API', { messages: [{ role: 'user', content: [{ type: 'input_text' }] }] }, /'input_text'/u],
  ['half a character', { messages: [{ role: 'user', content: '\uD83D' }] }, /valid JSON/u],
  ['an empty list of tools', { messages: [user], tools: [] }, /empty array/u],
  ['a name with a dot', { messages: [user], tools: [tool('a.b')] }, /does not match/u],
  ['two tools of one name', { messages: [user], tools: [tool('a'), tool('a')] }, /Two tools/u],
  ['129 tools', { messages: [user], tools: Array.from({ length: 129 }, (_, at) => tool(`t${at}`)) }, /more than 128/u],
  ['a schema that is no object', { messages: [user], tools: [tool('a', { type: 'string' })] }, /not "object"/u],
  [
    'an array without items',
    { messages: [user], tools: [tool('a', { type: 'object', properties: { b: { type: 'array' } } })] },
    /no items/u,
  ],
  ['a choice without tools', { messages: [user], tool_choice: 'auto' }, /needs 'tools'/u],
  [
    'the choice of another tool',
    { messages: [user], tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'b' } } },
    /not found in 'tools'/u,
  ],
  ['parallel calls without tools', { messages: [user], parallel_tool_calls: true }, /only allowed/u],
  ['options of a stream without one', { messages: [user], stream_options: {} }, /only allowed/u],
  ['JSON without the word', { messages: [user], response_format: { type: 'json_object' } }, /word 'json'/u],
  [
    'max_tokens for a reasoning model',
    { model: 'o-double', messages: [user], max_tokens: 5 },
    /max_completion_tokens/u,
  ],
  ['a temperature for a reasoning model', { model: 'o-double', messages: [user], temperature: 0.5 }, /must be 1/u],
];

test.each(CHAT)('Chat Completions refuses %s', async (_, body, message) => {
  const double = new MemoryLlm();
  double.always({ text: 'This must not be said.' });
  const answer = await double.fetch(`${double.openaiUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DOUBLE_KEY}` },
    body: JSON.stringify({ model: 'gpt-double', ...body }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(message) as string } });
  expect(double.requests).toEqual([]);
});

test.each([
  ['no input', { input: [] }, /Missing required parameter/u],
  ['a tool in the shape of Chat Completions', { input: 'Hi', tools: [tool('a')] }, /tools\[0\]\.name/u],
  ['too small a limit', { input: 'Hi', max_output_tokens: 5 }, /at least 16/u],
  ['an unknown parameter', { input: 'Hi', messages: [] }, /Unknown parameter/u],
  [
    'a part of Chat Completions in the output of a call',
    {
      input: [
        { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'text', text: 'a' }] },
      ],
    },
    /'text' is no part/u,
  ],
])('Responses refuses %s', async (_, body, message) => {
  const double = new MemoryLlm();
  const answer = await double.fetch(`${double.openaiUrl}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DOUBLE_KEY}` },
    body: JSON.stringify({ model: 'gpt-double', ...body }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(message) as string } });
});

test('a judge of your own is asked as well', async () => {
  const double = new MemoryLlm({
    judge: (_api, tools) => tools.map(({ name }) => ({ tool: name, message: 'I do not like it.' })),
  });
  const answer = await double.fetch(`${double.openaiUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DOUBLE_KEY}` },
    body: JSON.stringify({ model: 'gpt-double', messages: [user], tools: [tool('a')] }),
  });
  expect(await answer.text()).toContain('I do not like it.');
  expect(double.refusals).toHaveLength(1);
});
