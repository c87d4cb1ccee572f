import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.js';

describe('nearest', () => {
  it.each([
    ['citty', ['country', 'city'], 'city'],
    ['userName', ['user_name', 'username2'], 'user_name'],
    ['path', ['filename', 'encoding'], undefined],
    ['x'.repeat(65), ['x'.repeat(65)], undefined],
    ['a', [], undefined],
  ])('%s among %j is %s', (name, names, meant) => {
    expect(nearest(name, names)).toBe(meant);
  });
});
