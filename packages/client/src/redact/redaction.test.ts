import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactJson, redaction } from './redaction.js';

describe('redaction', () => {
  test('replaces secrets, but not what is too short to be one', () => {
    expect(redaction(['key-value', 'ab'])('got key-value, ab')).toBe('got [redacted], ab');
  });

  test.each([
    ['in a URL', 'k~~%3Fk%C3%BF'],
    ['in Base64', 'a35+P2vDvw=='],
    ['in Base64 without padding', 'a35+P2vDvw'],
    ['in Base64 for URLs', 'a35-P2vDvw'],
    ['in hexadecimal', '6b7e7e3f6bc3bf'],
    ['in hexadecimal of capital letters', '6B7E7E3F6BC3BF'],
  ])('finds a secret %s', (_, spelling) => {
    expect(redaction(['k~~?kÿ'])(`got ${spelling}.`)).toBe('got [redacted].');
  });

  test('finds a secret in JSON', () => {
    expect(redaction(['say "hush"'])(JSON.stringify({ got: 'say "hush"' }))).toBe('{"got":"[redacted]"}');
  });

  test('finds one line of a secret of several lines, in every spelling', () => {
    const redact = redaction(['-----BEGIN KEY-----\r\n  MIIEvQ+ABC\n}\n-----END KEY-----\n']);
    expect(redact('bad line MIIEvQ+ABC')).toBe('bad line [redacted]');
    expect(redact('bad line MIIEvQ%2BABC')).toBe('bad line [redacted]');
    expect(redact(Buffer.from('MIIEvQ+ABC').toString('hex'))).toBe('[redacted]');
    expect(redact('{a}')).toBe('{a}');
  });

  test('takes half of a character', () => {
    expect(redaction(['hush\uD800'])('got hush\uD800')).toBe('got [redacted]');
  });

  test('cuts what is too long after redacting it', () => {
    expect(redaction(['hush-hush'], 10)('hush-hush and more')).toBe('[redacted]…');
    expect(redaction([])('x'.repeat(5_000))).toHaveLength(5_000);
  });

  test('leaves no line of any secret', () => {
    const line = fc.string({ unit: 'binary', minLength: 4, maxLength: 20 }).filter((text) => text.trim().length >= 4);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.nat(4), (lines, at) => {
        const echoed = (lines[at % lines.length] ?? '').split(/[\r\n]/u).map((text) => text.trim());
        const redact = redaction([lines.join('\n')]);
        for (const text of echoed.filter((each) => each.length >= 4)) expect(redact(`<${text}>`)).not.toContain(text);
      }),
    );
  });
});

describe('redactJson', () => {
  test('redacts every text and every name, and cuts nothing', () => {
    const redact = redaction(['hush-hush'], 10);
    const url = `https://example.com/${'x'.repeat(30)}`;
    const data = { tried: ['hush-hush', 1, null, true], 'hush-hush': { deep: 'key=hush-hush' }, url };
    expect(redactJson(data, redact)).toEqual({
      tried: ['[redacted]', 1, null, true],
      '[redacted]': { deep: 'key=[redacted]' },
      url,
    });
  });

  test('keeps a member that is called __proto__', () => {
    const data: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(redactJson(data, redaction(['hush'])))).toBe('{"__proto__":{"a":1}}');
  });
});
