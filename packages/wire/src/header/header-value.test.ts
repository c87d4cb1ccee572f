import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue } from './header-value.js';

describe('header values', () => {
  test.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['', ''],
  ])('%j is written as %s', (value, encoded) => {
    expect(encodeHeaderValue(value)).toBe(encoded);
    expect(decodeHeaderValue(encoded)).toBe(value);
  });

  test('every text survives, and what is written is always a legal field value', () => {
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/[\uD800-\uDFFF]/u.test(text));
    fc.assert(
      fc.property(texts, (text) => {
        const encoded = encodeHeaderValue(text);
        expect(encoded).toMatch(/^[\t\u0020-\u007E]*$/u);
        expect(encoded).toBe(encoded.trim());
        expect(decodeHeaderValue(encoded)).toBe(text);
      }),
    );
  });

  test.each(['=?base64?%%%?=', '=?base64?abc?=', '=?base64?/w==?='])('%s claims to be encoded and is not', (value) => {
    expect(decodeHeaderValue(value)).toBeUndefined();
  });

  test.each(['=?BASE64?YQ==?=', '=?base64?=', 'plain?='])('%s is plain', (value) => {
    expect(decodeHeaderValue(value)).toBe(value);
  });
});
