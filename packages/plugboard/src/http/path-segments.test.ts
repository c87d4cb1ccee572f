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

  it.each([
    '/v1/mcp-servers/connect/..',
    '/v1/mcp-servers/connect/%2e%2E?x',
    '/./metrics',
    '/v1/.%2e',
    '/a\\..\\b',
    'http://127.0.0.1/v1/keys',
    '*',
    '',
  ])('refuses %s, which is another path to a URL parser', (target) => {
    expect(() => pathSegments(target)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('takes dots that are part of a name', () => {
    expect(pathSegments('/servers/a..b/tools/...?..')).toEqual(['servers', 'a..b', 'tools', '...']);
  });

  it('refuses broken encoding', () => {
    expect(() => pathSegments('/servers/%E0%A4%A')).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
