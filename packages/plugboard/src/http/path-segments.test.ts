import { describe, expect, it } from 'vitest';
import { pathSegments } from './path-segments.js';

describe('pathSegments', () => {
  it.each([
    ['/', []],
    ['/servers/a%20b/mcp?x=1', ['servers', 'a b', 'mcp']],
    ['//servers///x/', ['servers', 'x']],
    ['/servers/a%2Fb/tools', ['servers', 'a/b', 'tools']],
    ['/x#y', ['x']],
  ])('reads %s', (target, segments) => {
    expect(pathSegments(target)).toEqual(segments);
  });

  it('refuses broken encoding', () => {
    expect(() => pathSegments('/servers/%E0%A4%A')).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
