import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseScope, splitScope, unionScope } from './scope.js';

const CHALLENGE = 'Bearer scope="files:read"';

describe('chooseScope', () => {
  it.each([
    ['what the challenge asks for', { challenge: CHALLENGE, ofResource: ['all'] }, 'files:read'],
    ['what the server lists, without a challenge', { challenge: 'Bearer', ofResource: ['a', 'b'] }, 'a b'],
    ['nothing when nobody says anything', {}, undefined],
    ['what an operator set, and what is demanded on top', { configured: ['x'], challenge: CHALLENGE }, 'x files:read'],
    ['more, and never less, at a step up', { earlier: 'a b', challenge: CHALLENGE }, 'a b files:read'],
    [
      'offline_access where it is offered',
      { ofResource: ['a'], ofIssuer: ['a', 'offline_access'] },
      'a offline_access',
    ],
    ['no offline_access where it is not', { ofResource: ['a'], ofIssuer: ['a'] }, 'a'],
    ['no offline_access alone', { ofIssuer: ['offline_access'] }, undefined],
  ])('asks for %s', (_what, facts, expected) => {
    expect(chooseScope(facts)).toBe(expected);
  });
});

describe('unionScope', () => {
  const scope = fc.array(fc.stringMatching(/^[a-z:]{1,6}$/u)).map((names) => names.join(' '));

  it('holds everything of both sides once, and more of the same adds nothing', () => {
    fc.assert(
      fc.property(scope, scope, (left, right) => {
        const union = splitScope(unionScope(left, right));
        expect(new Set(union)).toEqual(new Set([...splitScope(left), ...splitScope(right)]));
        expect(new Set(union).size).toBe(union.length);
        expect(unionScope(union.join(' '), left)).toBe(union.length === 0 ? undefined : union.join(' '));
      }),
    );
  });
});
