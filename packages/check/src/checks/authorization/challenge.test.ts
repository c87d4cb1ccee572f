import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bearerChallenge, parseChallenges } from './challenge.js';

describe('the challenges of a header', () => {
  test('are read with quoted and plain parameters', () => {
    expect(parseChallenges('Bearer error="invalid_token", scope="a b",resource_metadata="https://x/y", n=1')).toEqual([
      {
        scheme: 'bearer',
        parameters: { error: 'invalid_token', scope: 'a b', resource_metadata: 'https://x/y', n: '1' },
      },
    ]);
  });

  test('may be several, with and without parameters', () => {
    const header = 'Basic realm="a, b", Negotiate, DPoP dGVzdA==, bearer realm="x \\" y"';
    expect(parseChallenges(header).map(({ scheme }) => scheme)).toEqual(['basic', 'negotiate', 'dpop', 'bearer']);
    expect(bearerChallenge(header)?.parameters).toEqual({ realm: 'x " y' });
  });

  test('are none in an absent, an empty or a strange header', () => {
    expect(bearerChallenge(undefined)).toBeUndefined();
    expect(bearerChallenge('')).toBeUndefined();
    expect(bearerChallenge('"""')).toBeUndefined();
  });

  test('come back as they were written, whatever the values are', () => {
    const name = fc.stringMatching(/^[a-z_]{1,12}$/u);
    const value = fc.string({ unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, noNullPrototype: true }), (parameters) => {
        const text = Object.entries(parameters).map(
          ([key, one]) => `${key}="${one.replaceAll(/["\\]/gu, String.raw`\$&`)}"`,
        );
        expect(parseChallenges(`Bearer ${text.join(', ')}`)).toEqual([{ scheme: 'bearer', parameters }]);
      }),
    );
  });

  test('are read in an end, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseChallenges(text)).toBeInstanceOf(Array);
      }),
    );
  });
});
