import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskArguments, secretsInArguments, unmaskArguments } from './mask-arguments.js';
import { hasSecretParameters, maskUrl, secretsInUrl, unmaskUrl } from './mask-url.js';

describe('a URL', () => {
  it.each([
    ['https://h.example/mcp', 'https://h.example/mcp'],
    ['https://h.example/mcp?page=2', 'https://h.example/mcp?page=2'],
    ['https://h.example/mcp?token=hunter2', 'https://h.example/mcp?token=••••'],
    ['https://h.example/mcp?api_key=0123456789abcdef&x=1', 'https://h.example/mcp?api_key=••••cdef&x=1'],
    ['https://h.example/mcp?x=1&Access-Token=0123456789abcdef#f', 'https://h.example/mcp?x=1&Access-Token=••••cdef#f'],
    ['https://h.example/?sig=a&sig=b;key=c', 'https://h.example/?sig=••••&sig=••••;key=••••'],
    ['https://h.example/?tok%65n=abc', 'https://h.example/?tok%65n=••••'],
    ['https://h.example/?token={{ TOKEN }}&key=${KEY}', 'https://h.example/?token={{ TOKEN }}&key=${KEY}'],
    ['https://h.example/?token=', 'https://h.example/?token='],
    ['postgres://user:hunter2@h.example/db', 'postgres://••••@h.example/db'],
    ['https://h.example/a@b?monkey=1&keyboard=2', 'https://h.example/a@b?monkey=1&keyboard=2'],
  ])('%s is shown as %s', (url, shown) => {
    expect(maskUrl(url)).toBe(shown);
    expect(hasSecretParameters(url)).toBe(url !== shown);
  });

  it('that comes back masked is what is stored', () => {
    const stored = 'https://h.example/?token=one&page=1&token=two';
    expect(unmaskUrl(maskUrl(stored), stored)).toBe(stored);
    expect(unmaskUrl('https://other.example/?token=••••&token=new', stored)).toBe(
      'https://other.example/?token=one&token=new',
    );
    expect(unmaskUrl('https://h.example/?key=••••', stored)).toBeUndefined();
    expect(unmaskUrl(maskUrl(stored), maskUrl(stored))).toBeUndefined();
  });

  it('never shows the value of a secret parameter, and always comes back', () => {
    const value = fc.base64String({ minLength: 8, maxLength: 40 }).map(encodeURIComponent);
    const name = fc.constantFrom('token', 'API-Key', 'access_token', 'sig', 'password');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 5 }), (parameters) => {
        const url = `https://h.example/mcp?${parameters.map(([key, secret]) => `${key}=${secret}`).join('&')}`;
        const shown = maskUrl(url);
        for (const [, secret] of parameters) expect(shown).not.toContain(secret);
        expect(unmaskUrl(shown, url)).toBe(url);
        expect(maskUrl(shown)).toBe(shown);
      }),
    );
  });
});

describe('what a mask hides', () => {
  it('is known, to be taken out of other texts', () => {
    expect(secretsInUrl('https://h.example/?a=1&token=x%2Fy&key={{ KEY }}')).toEqual(['x%2Fy', 'x/y']);
    expect(secretsInUrl('ftp://user:pass@h.example/')).toEqual(['user', 'pass']);
    expect(secretsInArguments(['--token', 'a', '--key=b', 'X=c', 'https://h/?sig=d', '--key', '${E}'])).toEqual([
      'a',
      'b',
      'd',
    ]);
  });
});

describe('arguments', () => {
  it.each([
    [
      ['--token', 'hunter2', 'x'],
      ['--token', '••••', 'x'],
    ],
    [['--api-key=0123456789abcdef'], ['--api-key=••••cdef']],
    [
      ['-e', 'PASSWORD=hunter2'],
      ['-e', 'PASSWORD=••••'],
    ],
    [
      ['--token', '--verbose'],
      ['--token', '--verbose'],
    ],
    [
      ['--token', '{{ TOKEN }}', '--key=${KEY}'],
      ['--token', '{{ TOKEN }}', '--key=${KEY}'],
    ],
    [['postgres://u:p@h/db'], ['postgres://••••@h/db']],
    [
      ['--url', 'https://h/?sig=abc'],
      ['--url', 'https://h/?sig=••••'],
    ],
    [
      ['run', 'a=b', '--keyboard', 'us'],
      ['run', 'a=b', '--keyboard', 'us'],
    ],
  ])('%j are shown as %j, and come back', (args, shown) => {
    expect(maskArguments(args)).toEqual(shown);
    expect(unmaskArguments(shown, args)).toEqual(args);
    expect(unmaskArguments(['first', ...shown], args)).toEqual(['first', ...args]);
  });

  it('with a mask that stands for nothing are refused', () => {
    expect(unmaskArguments(['--token', '••••'], ['x'])).toBeUndefined();
    expect(unmaskArguments(['--token=••••'], [])).toBeUndefined();
    expect(unmaskArguments(['https://h/?sig=••••'], [])).toBeUndefined();
    expect(unmaskArguments(['postgres://••••@h/db'], [])).toBeUndefined();
    expect(unmaskArguments(['a', 'b'], [])).toEqual(['a', 'b']);
  });
});
