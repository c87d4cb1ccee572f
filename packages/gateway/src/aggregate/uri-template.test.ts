import { describe, expect, it } from 'vitest';
import { templatePattern } from './uri-template.js';

describe('templatePattern', () => {
  it.each([
    ['file:///{path}', 'file:///a', true],
    ['file:///{path}', 'file:///a/b', false],
    ['file:///{+path}', 'file:///a/b', true],
    ['file://{/segments}', 'file:///a/b', true],
    ['x://{host}/q{?a,b}', 'x://h/q?a=1&b=2', true],
    ['x://{host}/q{?a,b}', 'x://h/q', true],
    ['x://a.b/{id*}', 'x://a.b/1/2', true],
    ['x://a.b/{id}', 'x://aXb/1', false],
    ['x://(a)/{id}', 'x://(a)/1', true],
    ['plain', 'plain', true],
  ])('%s and %s: %s', (template, uri, matches) => {
    expect(templatePattern(template).test(uri)).toBe(matches);
  });
});
