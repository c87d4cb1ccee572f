import { expect, test } from 'vitest';
import { MemoryLlm } from './memory-llm.js';
import { DOUBLE_KEY } from './scripted-llm.js';

const user = { role: 'user', parts: [{ text: 'Hi' }] };
const signed = { functionCall: { name: 'a', args: {} }, thoughtSignature: 'c2ln' };
const call = { role: 'model', parts: [signed] };
const result = { role: 'user', parts: [{ functionResponse: { name: 'a', response: { output: '' } } }] };
const tools = (...functionDeclarations: readonly object[]) => ({ contents: [user], tools: [{ functionDeclarations }] });
const mode = (functionCallingConfig: object) => ({ ...tools({ name: 'a' }), toolConfig: { functionCallingConfig } });

const generate = async (body: object, headers: Readonly<Record<string, string>> = { 'x-goog-api-key': DOUBLE_KEY }) => {
  const double = new MemoryLlm();
  double.always({ text: 'Yes.' });
  const answer = await double.fetch(`${double.url}/v1beta/models/gemini-double:generateContent`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text(), taken: double.requests.length };
};

const REFUSED: readonly (readonly [string, object, RegExp])[] = [
  ['no contents', { contents: [] }, /contents is not specified/u],
  ['an unknown member', { contents: [user], colour: 'red' }, /Unknown name \\"colour\\"/u],
  ['an unknown member of a part', { contents: [{ parts: [{ text: 'a', size: 1 }] }] }, /\\"size\\" at 'contents\[0\]/u],
  ['a role that does not exist', { contents: [{ ...user, role: 'assistant' }] }, /valid role/u],
  ['a content without parts', { contents: [{ role: 'user', parts: [] }] }, /must not be empty/u],
  ['a part without data', { contents: [{ parts: [{ thought: true }] }] }, /must have one initialized field/u],
  ['half a character', { contents: [{ parts: [{ text: '\uD83D' }] }] }, /Invalid JSON/u],
  ['a call without its result', { contents: [user, call, user] }, /number of function response parts/u],
  ['a call at the end', { contents: [user, call] }, /end with a user role/u],
  ['a result without a call', { contents: [user, result] }, /immediately after a function call turn/u],
  [
    'the result of another tool',
    { contents: [user, call, { parts: [{ functionResponse: { name: 'b', response: {} } }] }] },
    /not those of the function calls/u,
  ],
  [
    'a result that is a text',
    { contents: [user, call, { parts: [{ functionResponse: { name: 'a', response: 'ok' } }] }] },
    /function_response\.response/u,
  ],
  [
    'a call without the signature of its thought',
    { contents: [user, { role: 'model', parts: [{ functionCall: { name: 'a', args: {} } }] }, result] },
    /thought_signature/u,
  ],
  ['a name that begins with a digit', tools({ name: '1a' }), /does not match/u],
  ['two tools of one name', tools({ name: 'a' }, { name: 'a' }), /Two tools/u],
  ['an unknown member of a declaration', tools({ name: 'a', strict: true }), /\\"strict\\" at 'tools\[0\]/u],
  [
    'two kinds of parameters',
    tools({ name: 'a', parameters: { type: 'OBJECT' }, parametersJsonSchema: { type: 'object' } }),
    /only one of/u,
  ],
  ['513 tools', tools(...Array.from({ length: 513 }, (_, at) => ({ name: `t${at}` }))), /more than 512/u],
  ['a mode that does not exist', mode({ mode: 'SOME' }), /mode/u],
  ['names without the mode for them', mode({ mode: 'AUTO', allowedFunctionNames: ['a'] }), /only when/u],
  ['a name that is not declared', mode({ mode: 'ANY', allowedFunctionNames: ['b'] }), /b is not declared/u],
];

test.each(REFUSED)('the double of Gemini refuses %s', async (_, body, message) => {
  const { status, text, taken } = await generate(body);
  expect([status, taken]).toEqual([400, 0]);
  expect(text).toMatch(message);
  expect(JSON.parse(text)).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
});

test.each([
  [
    'a conversation with a call',
    { contents: [user, call, result], tools: [{ functionDeclarations: [{ name: 'a' }] }] },
  ],
  ['a forced tool', mode({ mode: 'ANY', allowedFunctionNames: ['a'] })],
  ['types in capitals', tools({ name: 'a', parameters: { type: 'OBJECT', properties: { b: { type: 'STRING' } } } })],
])('the double of Gemini takes %s', async (_, body) => {
  expect(await generate(body)).toMatchObject({ status: 200, taken: 1 });
});

test('a request without a key is denied', async () => {
  expect(await generate({ contents: [user] }, {})).toMatchObject({
    status: 403,
    text: expect.stringContaining('PERMISSION_DENIED') as string,
  });
});
