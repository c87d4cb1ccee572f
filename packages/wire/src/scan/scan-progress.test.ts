import { describe, expect, it } from 'vitest';
import { scanProgress } from './scan-progress.js';

const tokenOf = (text: string): string | undefined => {
  const bytes = Buffer.from(text);
  const span = scanProgress(bytes, 20);
  return span && bytes.toString('utf8', span.start, span.end);
};

describe('scanProgress', () => {
  it.each([
    ['7', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}'],
    ['"a é"', '{"params":{"message":"x","progressToken":"a é"},"method":"notifications/progress","jsonrpc":"2.0"} '],
    ['7', ' { "jsonrpc" : "2.0", "method": "notifications/progress", "params": { "progressToken": 7 , "_meta": {} } }'],
  ])('finds the token %s', (token, text) => {
    expect(tokenOf(text)).toBe(token);
  });

  it.each([
    ['another method', '{"jsonrpc":"2.0","method":"notifications/message","params":{"progressToken":7}}'],
    ['another version', '{"jsonrpc":"1.0","method":"notifications/progress","params":{"progressToken":7}}'],
    ['no version', '{"method":"notifications/progress","params":{"progressToken":7}}'],
    [
      'two methods',
      '{"method":"notifications/progress","method":"notifications/progress","params":{"progressToken":7}}',
    ],
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"notifications/progress","params":{"progressToken":7}}'],
    ['no token', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":7}}'],
    [
      'two tokens',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progressToken":8}}',
    ],
    ['two params', '{"params":{"progressToken":7},"method":"notifications/progress","params":{"progressToken":8}}'],
    ['no params', '{"jsonrpc":"2.0","method":"notifications/progress"}'],
    ['a list', '{"jsonrpc":"2.0","method":"notifications/progress","params":[7]}'],
    ['something behind it', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7}}1'],
    ['no JSON', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"a":}}'],
    ['nothing', ''],
  ])('leaves %s to others', (_what, text) => {
    expect(tokenOf(text)).toBeUndefined();
  });

  it('leaves bytes that are no UTF-8 to others', () => {
    const text = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"message":"\xff"}}';
    expect(scanProgress(Buffer.from(text, 'latin1'), 20)).toBeUndefined();
  });
});
