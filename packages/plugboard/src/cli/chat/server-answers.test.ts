import type { ModelProvider } from '@plugboard/agent';
import { describe, expect, it } from 'vitest';
import { terminalAnswers } from './server-answers.js';

const provider = {} as ModelProvider;
const signal = new AbortController().signal;

/** Answers the questions of a form with these lines, after a yes or a no. */
const elicit = async (params: object, lines: readonly string[], isAllowed = true) => {
  const left = [...lines];
  const remarks: string[] = [];
  const { answer } = terminalAnswers({
    provider,
    model: 'm',
    approve: async () => isAllowed,
    ask: async () => left.shift(),
    remark: (text) => void remarks.push(text),
  });
  return { result: await answer('files', 'elicitation/create', params, signal), remarks };
};

const form = (properties: object, required: readonly string[] = []) => ({
  message: 'Say.',
  requestedSchema: { type: 'object', properties, required },
});

describe('forms of servers', () => {
  it.each([
    [{ type: 'string' }, 'a b', 'a b'],
    [{ type: 'string', enum: ['red', 'blue'] }, 'red', 'red'],
    [{ type: 'integer' }, '-7', -7],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'boolean' }, 'YES', true],
    [{ type: 'array', items: { type: 'string' } }, 'a, b', ['a', 'b']],
    [{ type: 'integer', default: 4 }, '', 4],
  ])('%j with "%s"', async (field, line, value) => {
    const { result } = await elicit(form({ x: field }, ['x']), [line]);
    expect(result).toEqual({ action: 'accept', content: { x: value } });
  });

  it.each([
    [{ type: 'integer' }, 'many'],
    [{ type: 'boolean' }, 'maybe'],
    [{ type: 'string', enum: ['red'] }, 'green'],
    [{ type: 'number' }, ''],
  ])('are cancelled when %j gets "%s"', async (field, line) => {
    expect((await elicit(form({ x: field }, ['x']), [line])).result).toEqual({ action: 'cancel' });
  });

  it('may leave out what is optional, and are cancelled when the input ends', async () => {
    expect((await elicit(form({ x: { type: 'string' } }), [''])).result).toEqual({ action: 'accept', content: {} });
    expect((await elicit(form({ x: { type: 'string' } }), [])).result).toEqual({ action: 'cancel' });
  });

  it('are declined when the user does not want to answer', async () => {
    expect((await elicit(form({}), [], false)).result).toEqual({ action: 'decline' });
  });
});

it('shows addresses, and opens none', async () => {
  const params = { mode: 'url', message: 'Log in.', url: 'https://example.com/login\u001b[2J' };
  const { result, remarks } = await elicit(params, []);
  expect(result).toEqual({ action: 'accept' });
  expect(remarks.join('\n')).toContain('https://example.com/login');
  expect(remarks.join('\n')).not.toContain('\u001b');
});

it('answers nothing else', async () => {
  const { answer } = terminalAnswers({
    provider,
    model: 'm',
    approve: async () => true,
    ask: async () => undefined,
    remark: () => undefined,
  });
  await expect(answer('files', 'roots/list', {}, signal)).rejects.toThrow('does not answer roots/list');
});
