import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beyondBounds } from './json-bounds.js';
import { parseMessages } from './parse-messages.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + valuesOf(each), 1)
    : 1;

describe('beyondBounds', () => {
  const padding = 'x'.repeat(3000);

  it('counts levels and values as they are, whatever stands in strings', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const padded = { padding, value };
        const text = JSON.stringify(padded);
        const depth = depthOf(padded);
        expect(beyondBounds(text, { depth, values: 2 * valuesOf(padded) + 2 })).toBeUndefined();
        expect(beyondBounds(text, { depth: depth - 1, values: 1_000_000 })).toMatch(/levels deep/u);
      }),
    );
  });

  it.each([
    ['too deep', `${'['.repeat(5000)}${']'.repeat(5000)}`, /more than 512 levels deep/u],
    ['too many values', `[${'[],'.repeat(600_000)}0]`, /more than 1000000 values/u],
    ['too many messages', `[${'{"jsonrpc":"2.0","method":"a"},'.repeat(1000)}{}]`, /more than 1000 messages/u],
  ])('makes a message invalid that is %s', (_what, text, reason) => {
    expect(parseMessages(text)).toEqual([{ kind: 'invalid', reason: expect.stringMatching(reason) as string }]);
  });

  it('leaves long strings alone, also those that end in backslashes', () => {
    const text = JSON.stringify({ a: '\\'.repeat(5000), b: '[{,'.repeat(2_000_000) });
    expect(beyondBounds(text)).toBeUndefined();
  });
});
