import { describe, expect, test } from 'vitest';
import { readChat } from './read-chat.js';
import { readResponses } from './read-responses.js';

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
const schema = { type: 'object' };

describe('Chat Completions', () => {
  test('a whole conversation', () => {
    const input = readChat({
      model: 'helper',
      stream: true,
      stream_options: { include_usage: true },
      plugboard: { events: true },
      max_tokens: 10,
      temperature: 0.5,
      stop: ['END', '', 7],
      reasoning_effort: 'xhigh',
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } },
      messages: [
        { role: 'system', content: 'One.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look:' },
            image,
            { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
          ],
        },
        { role: 'developer', content: [{ type: 'text', text: 'Two.' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', function: { name: 'look', arguments: '{}' } }, {}],
        },
        { role: 'tool', tool_call_id: 'a', content: 'seen' },
      ],
    });
    expect(input).toEqual({
      agent: 'helper',
      system: 'One.\n\nTwo.',
      approvals: false,
      toolset: undefined,
      stream: true,
      streamUsage: true,
      events: true,
      maxTokens: 10,
      temperature: 0.5,
      output: { name: 'answer', schema, strict: false },
      stop: ['END'],
      thinking: { effort: 'high' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look:' },
            { type: 'image', data: 'aGk=', mimeType: 'image/png' },
            { type: 'audio', data: 'aGk=', mimeType: 'audio/mpeg' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: '' },
            { type: 'tool-call', id: 'a', name: 'look', arguments: '{}' },
          ],
        },
        { role: 'tool', results: [{ callId: 'a', name: '', text: 'seen', media: [], isError: false }] },
      ],
    });
  });

  test.each([
    ['no model', { messages: [{}] }, /must name an agent/u],
    ['no messages', { model: 'a' }, /must not be empty/u],
    ['an unknown role', { model: 'a', messages: [{ role: 'king', content: 'Hi' }] }, /"king" is not a role/u],
    [
      'a picture by its address',
      { model: 'a', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x' } }] }] },
      /data URLs/u,
    ],
    [
      'audio without data',
      { model: 'a', messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      /no data/u,
    ],
    [
      'an unknown part',
      { model: 'a', messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
      /"smell" is not accepted/u,
    ],
    ['content that is a number', { model: 'a', messages: [{ role: 'user', content: 7 }] }, /text or a list/u],
    ['tools', { model: 'a', messages: [{}], tools: [{}] }, /its own tools/u],
    ['several answers', { model: 'a', messages: [{}], n: 2 }, /one answer/u],
    [
      'another format',
      { model: 'a', messages: [{ role: 'user', content: 'Hi' }], response_format: { type: 'json_object' } },
      /json_schema/u,
    ],
  ])('%s is refused', (_, body, message) => {
    expect(() => readChat(body)).toThrow(message);
  });
});

test.each([
  [{ stop: 'END' }, ['END'], undefined],
  [{ stop: [] }, undefined, undefined],
  [{ reasoning_effort: 'minimal' }, undefined, { effort: 'low' }],
  [{ reasoning_effort: 'none' }, undefined, undefined],
  [{ reasoning_effort: 'constructor' }, undefined, undefined],
])('%j', (body, stop, thinking) => {
  const input = readChat({ model: 'a', messages: [{ role: 'user', content: 'Hi' }], ...body });
  expect([input.stop, input.thinking]).toEqual([stop, thinking]);
});

describe('Responses', () => {
  test('a text, and a whole conversation', () => {
    expect(readResponses({ model: 'a', input: 'Hi' })).toMatchObject({
      agent: 'a',
      system: undefined,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
    const input = readResponses({
      model: 'a',
      instructions: 'One.',
      reasoning: { effort: 'medium' },
      text: { format: { type: 'json_schema', name: 'answer', schema } },
      input: [
        { role: 'developer', content: 'Two.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
          ],
        },
        { type: 'reasoning', summary: [] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes?' }] },
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'seen' },
      ],
    });
    expect(input.system).toBe('One.\n\nTwo.');
    expect(input.output).toEqual({ name: 'answer', schema });
    expect(input.thinking).toEqual({ effort: 'medium' });
    expect(input.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'tool']);
  });

  test.each([
    ['no model', { input: 'Hi' }, /must name an agent/u],
    ['no input', { model: 'a', input: [] }, /must not be empty/u],
    ['an earlier response', { model: 'a', input: 'Hi', previous_response_id: 'resp_1' }, /keeps no responses/u],
    ['an unknown item', { model: 'a', input: [{ type: 'file_search_call' }] }, /are not accepted/u],
    ['an unknown role', { model: 'a', input: [{ role: 'king', content: 'Hi' }] }, /is not a role/u],
    ['another format', { model: 'a', input: 'Hi', text: { format: { type: 'json_object' } } }, /json_schema/u],
  ])('%s is refused', (_, body, message) => {
    expect(() => readResponses(body)).toThrow(message);
  });
});
