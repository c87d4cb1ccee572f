import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeader } from './modern-headers.js';
import { page } from './page.js';
import { openState, sealState } from './input-required.js';
import { fillTemplate, matchUriTemplate } from './uri-template.js';

describe('pages', () => {
  test('followed to the end give every element once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 10 }), (numbers, pageSize) => {
        const elements = numbers.map((number) => ({ number }));
        const seen: unknown[] = [];
        let cursor: unknown;
        do {
          const result = page('all', elements, { cursor, pageSize });
          seen.push(...(result['all'] as unknown[]));
          cursor = result['nextCursor'];
        } while (cursor !== undefined);
        expect(seen).toEqual(elements);
      }),
    );
  });

  test.each([['rubbish'], [7], [Buffer.from('page:-1').toString('base64url')]])('refuse the cursor %j', (cursor) => {
    expect(() => page('all', [], { cursor, pageSize: 1 })).toThrow('Invalid cursor');
  });
});

describe('requestState', () => {
  const key = Buffer.alloc(32, 1);

  test('gives back what was sealed', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.constant({ action: 'accept' })), (subject, answers) => {
        expect(openState(subject, sealState(subject, answers, key), key)).toEqual(answers);
      }),
    );
  });

  test('refuses another subject, another key, any change, and what is no text', () => {
    const state = sealState('tools/call a', {}, key);
    expect(openState('tools/call a', undefined, key)).toEqual({});
    expect(() => openState('tools/call b', state, key)).toThrow('Invalid requestState');
    expect(() => openState('tools/call a', state, Buffer.alloc(32, 2))).toThrow('Invalid requestState');
    expect(() => openState('tools/call a', 7, key)).toThrow('Invalid requestState');
    fc.assert(
      fc.property(fc.nat(state.length - 1), (at) => {
        const changed = state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);
        // The last character of a base64url text may carry unused bits.
        fc.pre(
          !Buffer.from(changed.split('.')[1] ?? '', 'base64url').equals(
            Buffer.from(state.split('.')[1] ?? '', 'base64url'),
          ) || changed.split('.')[0] !== state.split('.')[0],
        );
        expect(() => openState('tools/call a', changed, key)).toThrow('Invalid requestState');
      }),
    );
  });
});

describe('headers that carry base64', () => {
  test.each([
    ['us-west1', 'us-west1'],
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?base64?SGVsbG8?=', undefined],
    ['=?base64?SGVs!!!bG8=?=', undefined],
  ])('%s is %s', (header, value) => {
    expect(decodeHeader(header)).toBe(value);
  });
});

describe('templates', () => {
  test('give the variables of a matching URI only', () => {
    expect(matchUriTemplate('test://a/{id}/b/{name}', 'test://a/1/b/x%20y')).toEqual({ id: '1', name: 'x y' });
    expect(matchUriTemplate('test://a/{id}', 'test://a/1/2')).toBeUndefined();
    expect(matchUriTemplate('test://a.b/{id}', 'test://aXb/1')).toBeUndefined();
  });

  test('are filled where they are known', () => {
    expect(fillTemplate('{a} and {b}', { a: 1 })).toBe('1 and {b}');
  });
});
