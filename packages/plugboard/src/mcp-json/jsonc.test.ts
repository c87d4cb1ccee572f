import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonc } from './jsonc.js';
import { locateJsonError } from './locate-json-error.js';

const refusal = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

describe('JSON as people write it', () => {
  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJsonc(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
      }),
    );
  });

  it('agrees with JSON.parse about the place of the first error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.constantFrom('#', '}', ']', ',', ':', '"'), (value, at, junk) => {
        const text = JSON.stringify(value);
        const position = at % (text.length + 1);
        const broken = text.slice(0, position) + junk + text.slice(position);
        const told = refusal(broken);
        // The engine names the position of an unexpected token, though not of every error.
        const expected = /^Expected .* at position (?<at>\d+)/u.exec(told)?.groups?.['at'];
        const found = locateJsonError(broken);
        expect(found).toBe(expected === undefined ? found : Number(expected));
      }),
    );
  });

  it.each([
    ['{"a": 1, // one\n "b": 2}', { a: 1, b: 2 }],
    ['/* first */ [1, 2, /* last */ ]', [1, 2]],
    ['{"a": "// no comment", "b": "/* none */",}', { a: '// no comment', b: '/* none */' }],
    ['{"a": "x,}", }', { a: 'x,}' }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ['{"a": "quote \\" , ]"}', { a: 'quote " , ]' }],
    ['{"a": [1, // c\n],\n}', { a: [1] }],
  ])('reads %j', (text, value) => {
    expect(parseJsonc(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['{\n "a": x\n}', 2, 'this is not JSON'],
    ['{\n "a": 1\n "b": 2\n}', 3, 'this is not JSON'],
    ['{\n "a": [1,\n', 3, 'the JSON ends too early'],
    ['', 1, 'the JSON ends too early'],
    ['{}\n}', 2, 'this is not JSON'],
    ['[1,, 2]', 1, 'this is not JSON'],
    ['{"a" 1}', 1, 'this is not JSON'],
    ['{a: 1}', 1, 'this is not JSON'],
  ])('refuses %j in line %i', (text, line, why) => {
    expect(parseJsonc(text)).toEqual({ ok: false, line, why });
  });
});
