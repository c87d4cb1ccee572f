import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildFailure, buildNotification, buildRequest, buildResult } from './build-message.js';
import { classifyMessage } from './classify-message.js';
import { parseMessages } from './parse-messages.js';

const id = fc.oneof(fc.string(), fc.integer());
const method = fc.string({ minLength: 1 });

describe('classifyMessage', () => {
  test('tells the four kinds apart and hands back the very value', () => {
    fc.assert(
      fc.property(id, method, fc.jsonValue(), (requestId, name, value) => {
        const request = buildRequest(requestId, name, value);
        const notification = buildNotification(name, value);
        const result = buildResult(requestId, value);
        const failure = buildFailure(requestId, { code: -32000, message: name, data: value });
        expect(classifyMessage(request)).toEqual({ kind: 'request', message: request });
        expect(classifyMessage(notification)).toEqual({ kind: 'notification', message: notification });
        expect(classifyMessage(result)).toEqual({ kind: 'result', message: result });
        expect(classifyMessage(failure)).toEqual({ kind: 'failure', message: failure });
      }),
    );
  });

  test('keeps members that it does not know', () => {
    const message = { jsonrpc: '2.0', id: 1, result: {}, vendor: { kept: true } };
    expect(classifyMessage(message)).toMatchObject({ message: { vendor: { kept: true } } });
  });

  test.each([
    ['a string', 'text'],
    ['null', null],
    ['an array', []],
    ['no version', { id: 1, method: 'ping' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['a request whose id is null', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['a request whose id is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['a result without an id', { jsonrpc: '2.0', result: {} }],
    ['a result and an error', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }],
    ['neither', { jsonrpc: '2.0', id: 1 }],
    ['an error without a code', { jsonrpc: '2.0', id: 1, error: { message: 'x' } }],
    ['an error with half a code', { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: 'x' } }],
    ['an error whose id is a list', { jsonrpc: '2.0', id: [], error: { code: 1, message: 'x' } }],
  ])('refuses %s with a reason', (_what, value) => {
    expect(classifyMessage(value)).toEqual({ kind: 'invalid', reason: expect.stringMatching(/\w/u) as string });
  });

  test('an error may come without an id', () => {
    expect(classifyMessage({ jsonrpc: '2.0', error: { code: 1, message: 'x' } }).kind).toBe('failure');
    expect(classifyMessage({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }).kind).toBe('failure');
  });

  test('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(classifyMessage(value)).toHaveProperty('kind');
      }),
    );
  });
});

describe('parseMessages', () => {
  test('reads one message, a batch, and says what is no message', () => {
    const one = buildNotification('a');
    expect(parseMessages(JSON.stringify(one))).toEqual([{ kind: 'notification', message: one }]);
    expect(parseMessages(JSON.stringify([one, one, 3])).map(({ kind }) => kind)).toEqual([
      'notification',
      'notification',
      'invalid',
    ]);
    expect(parseMessages('[]')).toEqual([{ kind: 'invalid', reason: 'the batch is empty' }]);
    expect(parseMessages('{"jsonrpc"')).toEqual([{ kind: 'invalid', reason: 'the text is not JSON' }]);
  });

  test('never throws, whatever text comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseMessages(text).length).toBeGreaterThan(0);
      }),
    );
  });
});
