import { McpClientError, McpProtocolError } from '@plugboard/client';
import { describe, expect, it } from 'vitest';
import { toLegacyError, toModernError } from './error-code.js';

const answered = (code: number) =>
  new McpProtocolError('UPSTREAM_PROTOCOL', 'm', {
    delivery: 'answered',
    rpc: { code, message: 'said', data: { uri: 'x' } },
  });
const codeOf = (thrown: unknown): number | undefined =>
  thrown instanceof McpClientError ? thrown.rpc?.code : undefined;

describe('error codes across eras', () => {
  it.each([
    [-32002, -32602],
    [-32602, -32602],
    [-32000, -32000],
  ])('a modern client gets %i as %i', (from, to) => {
    expect(codeOf(toModernError(answered(from)))).toBe(to);
  });

  it.each([
    ['resources/read', -32602, -32002],
    ['tools/call', -32602, -32602],
    ['tools/call', -32020, -32603],
    ['tools/call', -32021, -32600],
    ['tools/call', -32022, -32603],
    ['tools/call', 5, 5],
  ])('a legacy client gets the answer to %s, %i, as %i', (method, from, to) => {
    expect(codeOf(toLegacyError(method, answered(from)))).toBe(to);
  });

  it('keeps message and data, and leaves other failures alone', () => {
    expect(toModernError(answered(-32002))).toMatchObject({ rpc: { message: 'said', data: { uri: 'x' } } });
    const other = new TypeError('x');
    expect([toModernError(other), toLegacyError('a', other)]).toEqual([other, other]);
  });
});
