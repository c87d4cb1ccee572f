import { describe, expect, it } from 'vitest';
import { safeLink, webImage } from './settle-references.js';

describe('addresses in documents', () => {
  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' JavaScript:x',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
  ])('%j is no link', (url) => expect(safeLink(url)).toBeUndefined());

  it.each(['https://a.example', 'mailto:a@b.example', '/relative?x=a:b', '#part'])('%j is a link', (url) =>
    expect(safeLink(url)).toBe(url),
  );

  it('only web addresses are pictures by themselves', () => {
    expect(webImage('https://a.example/x.png')).toBe('https://a.example/x.png');
    expect(webImage('x.png')).toBeUndefined();
  });
});
