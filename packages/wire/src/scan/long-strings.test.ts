import { describe, expect, it } from 'vitest';
import { longStrings } from './long-strings.js';

const bounds = { longBytes: 100, maxRest: 60 };
const long = 'x'.repeat(200);

const found = (text: string): readonly string[] | undefined => {
  const bytes = Buffer.from(text);
  return longStrings(bytes, bounds)?.map(({ start, end }) => bytes.toString('utf8', start, end));
};

describe('longStrings', () => {
  it('finds the values that are long', () => {
    expect(found(JSON.stringify({ a: long, b: ['short', `ä${long}`] }))).toEqual([`"${long}"`, `"ä${long}"`]);
  });

  it('takes names and strings with escapes for the rest, which then is too much', () => {
    expect(found(`{"${long}" :1}`)).toBeUndefined();
    expect(found(JSON.stringify([`${long}"`]))).toBeUndefined();
  });

  it('gives up when there is much else', () => {
    expect(found(JSON.stringify([long, ...Array.from({ length: 40 }, () => 1)]))).toBeUndefined();
    expect(found(JSON.stringify([long, ...Array.from({ length: 9 }, () => 1)]))).toHaveLength(1);
  });

  it.each([`["${long}`, `["${long}\n"]`])('gives up where a string is not JSON', (text) => {
    expect(found(text)).toBeUndefined();
  });
});
