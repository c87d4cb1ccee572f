import { describe, expect, test } from 'vitest';
import { ScriptedLlm } from './scripted-llm.js';
import { arrivalOf } from './test-support/arrival-of.js';
import type { Reply } from './wire/reply.js';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';
const CONVERSE = '/model/anthropic.claude-double-v1%3A0/converse';

const user = { role: 'user', content: 'Hi' };
const good: Readonly<Record<string, Record<string, unknown>>> = {
  [CHAT]: { model: 'gpt-double', messages: [user] },
  [RESPONSES]: { model: 'gpt-double', input: 'Hi' },
  [MESSAGES]: { model: 'claude-double', max_tokens: 100, messages: [user] },
  [CONVERSE]: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
};

/** Status, headers and JSON of a reply that is not streamed. */
const read = (reply: Reply): readonly [number, unknown, Readonly<Record<string, string>>] => {
  if (typeof reply === 'string' || 'pieces' in reply) throw new Error('The reply is not whole.');
  return [reply.status, JSON.parse(reply.body.toString()), reply.headers ?? {}];
};

const ask = async (path: string, body: unknown, headers?: Record<string, string>) =>
  read(await new ScriptedLlm().answer(arrivalOf(path, body, headers)));

const openai = (message: string, members: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...members },
});
const anthropic = (message: string, type = 'invalid_request_error') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_double',
});

describe('the exact body of a refusal', () => {
  test.each([
    [
      'Chat Completions: no key',
      CHAT,
      {},
      { authorization: '' },
      401,
      openai('The request has no API key.', { code: 'invalid_api_key' }),
    ],
    [
      'Chat Completions: another key',
      CHAT,
      {},
      { authorization: 'Bearer other' },
      401,
      openai('The API key is incorrect.', { code: 'invalid_api_key' }),
    ],
    ['Chat Completions: no JSON', CHAT, '{', {}, 400, openai('The body of the request is not a valid JSON object.')],
    ['Chat Completions: a list', CHAT, [], {}, 400, openai('The body of the request is not a valid JSON object.')],
    [
      'Chat Completions: an unknown parameter',
      CHAT,
      { colour: 'red' },
      {},
      400,
      openai("Unknown parameter: 'colour'.", { param: 'colour', code: 'unknown_parameter' }),
    ],
    [
      'Chat Completions: a role that does not exist',
      CHAT,
      { ...good[CHAT], messages: [user, { role: 'robot', content: 'Hi' }] },
      {},
      400,
      openai("Invalid value: 'robot' is no role.", { param: 'messages[1].role' }),
    ],
    [
      'Chat Completions: a format without a name',
      CHAT,
      { ...good[CHAT], response_format: { type: 'json_schema', json_schema: {} } },
      {},
      400,
      openai('The format of the response needs a name.', { param: 'response_format' }),
    ],
    [
      'Chat Completions: a format that is none',
      CHAT,
      { ...good[CHAT], response_format: { type: 'json_schema' } },
      {},
      400,
      openai('The format of the response is no object.', { param: 'response_format' }),
    ],
    [
      'Chat Completions: parameters that are no object',
      CHAT,
      { ...good[CHAT], tools: [{ type: 'function', function: { name: 'a', parameters: 1 } }] },
      {},
      400,
      openai('Parameters must be an object.', { param: 'tools[0].function.parameters' }),
    ],
    [
      'Responses: JSON without the word',
      RESPONSES,
      { ...good[RESPONSES], text: { format: { type: 'json_object' } } },
      {},
      400,
      openai("'input' must contain the word 'json' to use the format 'json_object'.", { param: 'input' }),
    ],
    [
      'Responses: too small a limit',
      RESPONSES,
      { ...good[RESPONSES], max_output_tokens: 15 },
      {},
      400,
      openai("'max_output_tokens' must be at least 16.", {
        param: 'max_output_tokens',
        code: 'integer_below_min_value',
      }),
    ],
    [
      'Messages: no key',
      MESSAGES,
      {},
      { authorization: '' },
      401,
      anthropic('x-api-key header is required', 'authentication_error'),
    ],
    [
      'Messages: another key',
      MESSAGES,
      {},
      { 'x-api-key': 'other' },
      401,
      anthropic('invalid x-api-key', 'authentication_error'),
    ],
    ['Messages: no JSON', MESSAGES, '{', {}, 400, anthropic('The request body is not valid JSON.')],
    ['Messages: no model', MESSAGES, { max_tokens: 1 }, {}, 400, anthropic('model: Field required')],
    [
      'Messages: an unknown model',
      MESSAGES,
      { ...good[MESSAGES], model: 'toString' },
      {},
      404,
      anthropic('model: toString', 'not_found_error'),
    ],
    [
      'Messages: no limit',
      MESSAGES,
      { model: 'claude-double', messages: [user] },
      {},
      400,
      anthropic('max_tokens: Field required'),
    ],
    [
      'Messages: a limit of nothing',
      MESSAGES,
      { ...good[MESSAGES], max_tokens: 0 },
      {},
      400,
      anthropic('max_tokens: Input should be greater than or equal to 1'),
    ],
    [
      'Messages: too hot',
      MESSAGES,
      { ...good[MESSAGES], temperature: 1.5 },
      {},
      400,
      anthropic('temperature: range: 0..1'),
    ],
    [
      'Messages: a system role',
      MESSAGES,
      { ...good[MESSAGES], messages: [{ role: 'system', content: 'Hi' }] },
      {},
      400,
      anthropic('messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter.'),
    ],
    [
      'Messages: no content',
      MESSAGES,
      { ...good[MESSAGES], messages: [{ role: 'user' }] },
      {},
      400,
      anthropic('messages.0.content: Field required'),
    ],
    [
      'Messages: nothing but spaces',
      MESSAGES,
      { ...good[MESSAGES], messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] },
      {},
      400,
      anthropic('messages: text content blocks must contain non-whitespace text'),
    ],
    [
      'Messages: a call at the end',
      MESSAGES,
      {
        ...good[MESSAGES],
        messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] }],
      },
      {},
      400,
      anthropic('messages: `tool_use` ids were found without `tool_result` blocks immediately after'),
    ],
    [
      'Messages: a choice without tools',
      MESSAGES,
      { ...good[MESSAGES], tool_choice: { type: 'auto' } },
      {},
      400,
      anthropic('tool_choice may only be specified while providing tools'),
    ],
    [
      'Messages: the choice of another tool',
      MESSAGES,
      {
        ...good[MESSAGES],
        tools: [{ name: 'a', input_schema: { type: 'object' } }],
        tool_choice: { type: 'tool', name: 'b' },
      },
      {},
      400,
      anthropic("Tool 'b' not found in provided tools"),
    ],
    [
      'Messages: a tool without a schema',
      MESSAGES,
      { ...good[MESSAGES], tools: [{ name: 'a' }] },
      {},
      400,
      anthropic('tools.0.custom.input_schema: Field required'),
    ],
    [
      'Messages: thinking with a prefill',
      MESSAGES,
      {
        ...good[MESSAGES],
        max_tokens: 2000,
        messages: [user, { role: 'assistant', content: 'It' }],
        thinking: { type: 'enabled', budget_tokens: 1024 },
      },
      {},
      400,
      anthropic('messages: prefill is not supported when thinking is enabled'),
    ],
    ['Converse: no JSON', CONVERSE, '{', {}, 400, { message: 'The request is not valid JSON.' }],
    [
      'Converse: an unknown member',
      CONVERSE,
      { ...good[CONVERSE], colour: 1 },
      {},
      400,
      { message: 'Unknown member: colour' },
    ],
    [
      'Converse: an empty message',
      CONVERSE,
      { messages: [{ role: 'user', content: [] }] },
      {},
      400,
      { message: 'The content field in the Message object at messages.0 is empty.' },
    ],
    [
      'Converse: a call without its result',
      CONVERSE,
      {
        messages: [
          { role: 'user', content: [{ text: 'Hi' }] },
          { role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'a', input: {} } }] },
          { role: 'user', content: [{ text: 'Well?' }] },
        ],
      },
      {},
      400,
      { message: 'Expected toolResult blocks at messages.2.content for the toolUse ids: t' },
    ],
    [
      'Converse: no tools in the config',
      CONVERSE,
      { ...good[CONVERSE], toolConfig: { tools: [] } },
      {},
      400,
      { message: 'toolConfig.tools must have at least 1 member.' },
    ],
    [
      'Converse: a tool without a schema',
      CONVERSE,
      { ...good[CONVERSE], toolConfig: { tools: [{ toolSpec: { name: 'a' } }] } },
      {},
      400,
      { message: 'toolConfig.tools.0.toolSpec.inputSchema.json must be an object.' },
    ],
  ] as const)('%s', async (_, path, body, headers, status, expected) => {
    const [gotStatus, got] = await ask(path, body, headers);
    expect([gotStatus, got]).toEqual([status, expected]);
  });

  test('Messages needs a version', async () => {
    const arrival = arrivalOf(MESSAGES, good[MESSAGES]);
    const { 'anthropic-version': _, ...headers } = arrival.headers;
    const [status, body] = read(await new ScriptedLlm().answer({ ...arrival, headers }));
    expect([status, body]).toEqual([400, anthropic('anthropic-version: header is required')]);
  });

  test('Converse names the type of an error in a header', async () => {
    const [, , headers] = await ask(CONVERSE, '{');
    expect(headers['x-amzn-errortype']).toBe('SerializationException');
  });

  const long = 'four'.repeat(10);
  test.each([
    [
      CHAT,
      { model: 'small', messages: [{ role: 'user', content: long }] },
      openai("This model's maximum context length is 3 tokens, but the request has 11 tokens.", {
        code: 'context_length_exceeded',
        param: 'messages',
      }),
    ],
    [
      MESSAGES,
      { model: 'small', max_tokens: 1, messages: [{ role: 'user', content: long }] },
      anthropic('prompt is too long: 11 tokens > 3 maximum'),
    ],
    [
      '/model/small/converse',
      { messages: [{ role: 'user', content: [{ text: long }] }] },
      { message: 'Input is too long for requested model.' },
    ],
  ])('too much text for %s', async (path, body, expected) => {
    const llm = new ScriptedLlm({ models: { small: { contextTokens: 3 } } });
    const [status, got] = read(await llm.answer(arrivalOf(path, body)));
    expect([status, got]).toEqual([400, expected]);
    expect(llm.requests).toEqual([]);
  });

  test('an address that does not exist, in the words of its provider', async () => {
    expect((await ask('/v1/nothing', {})).slice(0, 2)).toEqual([
      404,
      openai('Invalid URL (POST /v1/nothing)', { code: 'unknown_url' }),
    ]);
    expect((await ask('/v1/messages/nothing', {})).slice(0, 2)).toEqual([
      404,
      anthropic('Invalid URL (POST /v1/messages/nothing)', 'not_found_error'),
    ]);
  });
});

describe('the script', () => {
  test.each(Object.entries(good))('%s: turns come in order, then the one for always, then none', async (path, body) => {
    const llm = new ScriptedLlm();
    const arrival = arrivalOf(path, body);
    const textOf = async (): Promise<string> => JSON.stringify(read(await llm.answer(arrival))[1]);
    expect(await textOf()).toContain('The double has no turn left.');
    llm.script.next({ text: 'first' }, ({ api }) => ({ text: `second from ${api}` }));
    llm.script.always({ text: 'ever' });
    expect(await textOf()).toContain('first');
    expect(await textOf()).toContain(`second from ${llm.requests[0]?.api ?? ''}`);
    expect(await textOf()).toContain('ever');
    expect(await textOf()).toContain('ever');
    expect(llm.requests).toHaveLength(5);
    expect(llm.refusals).toEqual([]);
  });

  test('a mistake in the script is no refusal', async () => {
    const llm = new ScriptedLlm();
    llm.script.next(() => {
      throw new TypeError('a mistake');
    });
    await expect(llm.answer(arrivalOf(CHAT, good[CHAT]))).rejects.toThrow(TypeError);
    expect(llm.refusals).toEqual([]);
  });

  test('a refused request takes no turn', async () => {
    const llm = new ScriptedLlm();
    llm.script.next({ text: 'first' });
    await llm.answer(arrivalOf(CHAT, {}));
    expect(llm.refusals).toEqual(["Invalid 'messages': expected an array with at least one message."]);
    expect(JSON.stringify(read(await llm.answer(arrivalOf(CHAT, good[CHAT]))))).toContain('first');
  });

  test('what a request says is told in no provider’s words', async () => {
    const llm = new ScriptedLlm();
    llm.script.always({ text: 'ok' });
    const schema = { type: 'object', properties: {} };
    await llm.answer(
      arrivalOf(CHAT, { ...good[CHAT], tools: [{ type: 'function', function: { name: 'a', parameters: schema } }] }),
    );
    await llm.answer(
      arrivalOf(RESPONSES, { ...good[RESPONSES], tools: [{ type: 'function', name: 'a', parameters: schema }] }),
    );
    await llm.answer(arrivalOf(MESSAGES, { ...good[MESSAGES], tools: [{ name: 'a', input_schema: schema }] }));
    await llm.answer(
      arrivalOf(CONVERSE, {
        ...good[CONVERSE],
        toolConfig: { tools: [{ toolSpec: { name: 'a', inputSchema: { json: schema } } }] },
      }),
    );
    expect(llm.requests.map(({ api, stream, tools }) => [api, stream, tools])).toEqual([
      ['openai-chat', false, [{ name: 'a', inputSchema: schema, strict: false }]],
      // This API is strict unless it is told otherwise.
      ['openai-responses', false, [{ name: 'a', inputSchema: schema, strict: true }]],
      ['anthropic', false, [{ name: 'a', inputSchema: schema, strict: false }]],
      ['bedrock', false, [{ name: 'a', inputSchema: schema, strict: false }]],
    ]);
  });
});
