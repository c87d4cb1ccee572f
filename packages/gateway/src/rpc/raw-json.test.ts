import { describe, expect, it } from 'vitest';
import { RawJson, readRaw, writeResult, writtenResult } from './raw-json.js';

describe('writeResult', () => {
  it('writes a result, also one that is written already', () => {
    expect(JSON.parse(writeResult('a"b', { x: 1 }))).toEqual({ jsonrpc: '2.0', id: 'a"b', result: { x: 1 } });
    expect(writeResult(0, new RawJson('{"x":1.0}'))).toBe('{"jsonrpc":"2.0","id":0,"result":{"x":1.0}}');
    expect(JSON.parse(writeResult(1, undefined))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('gives what is written already as the same bytes', () => {
    const kept = new RawJson('{"x":"é"}');
    const pieces = writtenResult('é', kept) ?? [];
    expect(Buffer.concat(pieces).toString()).toBe(writeResult('é', kept));
    expect(writtenResult(2, kept)?.[1]).toBe(pieces[1]);
    expect(writtenResult(1, { x: 1 })).toBeUndefined();
  });

  it('reads either form back', () => {
    expect(readRaw(new RawJson('[1]'))).toEqual([1]);
    expect(readRaw('x')).toBe('x');
  });
});
