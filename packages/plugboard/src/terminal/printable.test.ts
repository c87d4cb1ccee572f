import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printableJson, terminalSafe } from './printable.js';
import { STYLE_SEQUENCES, styleFor } from './style.js';

const ACTS_ON_TERMINAL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u;
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001B',
      '[',
      ']',
      '0',
      '3',
      '1',
      'm',
      ';',
      '\u009B',
      '\u0007',
      '\r',
      '\u202E',
      '\u2066',
      '\u{E0041}',
    ),
    fc.string({ minLength: 1, maxLength: 3 }),
  ),
});

describe('text for a terminal', () => {
  it('holds nothing that acts on it but our own styles', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(terminalSafe(text).replaceAll(STYLE_SEQUENCES, '')).not.toMatch(ACTS_ON_TERMINAL);
      }),
    );
  });

  it('keeps line breaks, tabs and every style', () => {
    const style = styleFor(true);
    const text = Object.values(style)
      .map((paint) => paint('painted\ttext'))
      .join('\n');
    expect(terminalSafe(text)).toBe(text);
  });
});

describe('JSON for a terminal', () => {
  it('is the same value without a character that a terminal acts on', () => {
    fc.assert(
      fc.property(hostile, hostile, (key, text) => {
        const value = Object.fromEntries([[key, text]]);
        const written = printableJson(JSON.stringify(value));
        expect(JSON.parse(written)).toEqual(value);
        expect(written).not.toMatch(ACTS_ON_TERMINAL);
      }),
    );
  });
});

describe('text for the log of a CI job', () => {
  it('is written in linear time, also when it is a megabyte of empty lines', () => {
    const lines = '\n'.repeat(1_000_000);
    expect(terminalSafe(`${lines}  ::stop`)).toBe(`${lines}  : :stop`);
  });

  it.each([
    ['::set-output name=outcome::passed', ': :set-output name=outcome::passed'],
    ['first\n  ::error::planted', 'first\n  : :error::planted'],
    ['said ##[set-output name=outcome]passed', 'said # #[set-output name=outcome]passed'],
    ['###vso[task.setvariable variable=a]b', '## #vso[task.setvariable variable=a]b'],
  ])('holds no command of it: %j', (text, shown) => {
    expect(terminalSafe(text)).toBe(shown);
  });

  it.each(['bind ::1 and [::]:80', '## Heading [link]', 'a::b'])('keeps %j', (text) => {
    expect(terminalSafe(text)).toBe(text);
  });

  it('is the same value as JSON, without the command', () => {
    const value = { text: '##[set-output name=outcome]passed' };
    const json = printableJson(JSON.stringify(value));
    expect(json).not.toContain('##[');
    expect(JSON.parse(json)).toEqual(value);
  });
});
