import { expect, test } from 'vitest';
import { overloadIn } from './overload.js';

test.each([
  ['HTTP 429 text/plain\nSlow down.', 'HTTP 429'],
  ['HTTP 503 \n', 'HTTP 503'],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Rate limit exceeded"}}',
    'an error about too many requests',
  ],
  ['HTTP 401 \n', 'HTTP 401, although it accepted the token before'],
  ['HTTP 500 text/plain\n', undefined],
  ['HTTP 200 application/json\n{"result":{"content":[{"type":"text","text":"HTTP 429"}]}}', undefined],
  ['', undefined],
])('%j', (received, told) => {
  expect(overloadIn({ received }, 'json-rpc')).toBe(told);
});

test('a refused token is what checks of authorization are about', () => {
  expect(overloadIn({ received: 'HTTP 401 ' }, 'authorization')).toBeUndefined();
  expect(overloadIn(undefined, 'authorization')).toBeUndefined();
});
