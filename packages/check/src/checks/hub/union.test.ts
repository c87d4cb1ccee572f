import { describe, expect, test } from 'vitest';
import type { Behind } from './behind.js';
import { differencesFromUnion, isTaken, ownerOf } from './union.js';

const server = (prefix: string, ...tools: string[]): Behind => ({ prefix, dead: false, tools });

describe('the union of lists', () => {
  const servers = [server('a__', 'read', 'write'), server('b__', 'read')];

  test('has every tool under its prefix, in any order, and what is of the aggregate itself', () => {
    expect(differencesFromUnion(['b__read', 'a__write', 'a__read', 'search'], servers)).toEqual([]);
  });

  test('finds what is missing, and what belongs to no server', () => {
    expect(differencesFromUnion(['a__read', 'b__read', 'b__gone'], servers)).toEqual([
      'a__write is missing.',
      'b__ has 1 more than the server, among b__gone.',
    ]);
  });

  test.each([['x'.repeat(80)], ['get.status']])('takes another name for %s, but not none', (name) => {
    const one = [server('a__', 'read', name)];
    expect(differencesFromUnion(['a__read', 'a__another'], one)).toEqual([]);
    expect(differencesFromUnion(['a__read'], one)).toEqual(['1 tools are missing behind a__.']);
  });

  test('takes other names where two servers would have the same', () => {
    const nested = [server('a_', '_read'), server('a__', 'read')];
    expect(differencesFromUnion(['a__read', 'a_1'], nested)).toEqual([]);
  });

  test('expects nothing of a server that is down or could not be asked', () => {
    const silent = [
      { prefix: 'a__', dead: true, tools: ['read'] },
      { prefix: 'b__', dead: false, tools: undefined },
    ];
    expect(differencesFromUnion(['a__old', 'b__old'], silent)).toEqual([]);
  });
});

test('a name belongs to the server with the longest prefix of it', () => {
  const servers = [server('a_'), server('a_b_')];
  expect(ownerOf('a_b_read', servers)).toBe(servers[1]);
  expect(ownerOf('other', servers)).toBeUndefined();
});

test('providers take letters, digits, _ and -, up to 64 of them', () => {
  expect(['a-b_1', 'a'.repeat(64)].every(isTaken)).toBe(true);
  expect(['', 'a.b', 'a'.repeat(65)].some(isTaken)).toBe(false);
});
