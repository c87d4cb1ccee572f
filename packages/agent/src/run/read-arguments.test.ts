import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArguments } from './read-arguments.js';

const OPTIONS = { complete: true };

test('every object comes through, as itself and as text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, complete) => {
      const plain = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
      expect(readArguments(plain, { complete })).toEqual({ args: plain });
      expect(readArguments(JSON.stringify(plain), { complete })).toEqual({ args: plain });
    }),
  );
});

test('nothing that was cut off is completed, unless that is allowed', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const cut = text.slice(0, 1 + (at % (text.length - 1)));
      expect(readArguments(cut, { complete: false })).toEqual({ problem: 'cut-off' });
    }),
  );
});

test('what is completed has only values that the model wrote', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
      fc.nat(),
      (value, at) => {
        const plain = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        const text = JSON.stringify(plain);
        const read = readArguments(text.slice(0, 1 + (at % (text.length - 1))), OPTIONS);
        expect(plain).toMatchObject('args' in read ? read.args : {});
      },
    ),
  );
});

test.each([
  ['{"path":"/data/arch', { problem: 'cut-off' }],
  ['{"path":"/data/arch\\"', { problem: 'cut-off' }],
  ['{"cities": ["Os', { problem: 'cut-off' }],
  ['{"city": ', { problem: 'cut-off' }],
  ['{"city": "Oslo", ', { problem: 'cut-off' }],
  ['{"city"', { problem: 'cut-off' }],
  ['{', { problem: 'cut-off' }],
  ['{"limit": 1', { problem: 'cut-off' }],
  ['{"limit": 10 ', { args: { limit: 10 } }],
  ['{"city": "Oslo"', { args: { city: 'Oslo' } }],
  ['{"at": {"cities": ["Oslo", "}]"]', { args: { at: { cities: ['Oslo', '}]'] } } }],
  ['', { args: {} }],
  [undefined, { args: {} }],
  ['[1]', { problem: 'no-object' }],
  ['[1', { problem: 'no-object' }],
  ['{]', { problem: 'no-object' }],
  ['not JSON', { problem: 'no-object' }],
  [7, { problem: 'no-object' }],
])('%j', (text, read) => {
  expect(readArguments(text, OPTIONS)).toEqual(read);
});

test('many open brackets are read quickly', () => {
  expect(readArguments(`{"a":${'['.repeat(1_000_000)}`, OPTIONS)).toEqual({ problem: 'cut-off' });
});
