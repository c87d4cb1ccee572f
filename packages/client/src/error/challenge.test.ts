import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bearerChallenge, parseChallenges } from './challenge.js';

const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/u);
const value = fc.string({ maxLength: 20 }).filter((text) => !/[\r\n]/u.test(text));
const parameters = fc.uniqueArray(fc.tuple(token, value), {
  minLength: 1,
  maxLength: 5,
  selector: ([name]) => name.toLowerCase(),
});

const quote = (text: string): string => `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;

describe('parseChallenges', () => {
  it('reads back every challenge that is written by the rules', () => {
    const challenge = fc.tuple(token, parameters);
    fc.assert(
      fc.property(fc.array(challenge, { minLength: 1, maxLength: 4 }), (written) => {
        const field = written
          .map(([scheme, list]) => `${scheme} ${list.map(([name, text]) => `${name}=${quote(text)}`).join(', ')}`)
          .join(', ');
        expect(parseChallenges(field)).toEqual(
          written.map(([scheme, list]) => ({
            scheme: scheme.toLowerCase(),
            parameters: new Map(list.map(([name, text]) => [name.toLowerCase(), text])),
          })),
        );
      }),
    );
  });

  it('survives anything', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (field) => {
        expect(Array.isArray(parseChallenges(field))).toBe(true);
      }),
    );
  });

  it.each([
    ['Bearer', [['bearer', {}]]],
    ['bearer realm=example', [['bearer', { realm: 'example' }]]],
    [
      'Negotiate YWJj==, Bearer error="x"',
      [
        ['negotiate', {}],
        ['bearer', { error: 'x' }],
      ],
    ],
    [
      'Basic realm="a, b", Bearer scope="c d"',
      [
        ['basic', { realm: 'a, b' }],
        ['bearer', { scope: 'c d' }],
      ],
    ],
    ['Bearer scope = "a b" ,error="e"', [['bearer', { scope: 'a b', error: 'e' }]]],
    ['Bearer scope="first", scope="second"', [['bearer', { scope: 'first' }]]],
    ['Bearer error="never closed', [['bearer', { error: 'never closed' }]]],
    ['', []],
  ])('%s', (field, expected) => {
    const found = parseChallenges(field).map(({ scheme, parameters: list }) => [scheme, Object.fromEntries(list)]);
    expect(found).toEqual(expected);
  });
});

describe('bearerChallenge', () => {
  it('names what the server said, and leaves out what it did not', () => {
    const field = 'Basic realm="x", Bearer error="insufficient_scope", scope="a b", resource_metadata="https://s/m"';
    expect(bearerChallenge(field)).toEqual({
      error: 'insufficient_scope',
      scope: 'a b',
      resourceMetadata: 'https://s/m',
    });
    expect(bearerChallenge('Bearer scope=""')).toEqual({});
    expect(bearerChallenge('Basic realm="x"')).toBeUndefined();
    expect(bearerChallenge(undefined)).toBeUndefined();
  });
});
