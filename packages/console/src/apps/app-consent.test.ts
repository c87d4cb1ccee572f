import { describe, expect, it } from 'vitest';
import { callQuestion, linkOf } from './app-consent.js';

describe('what an app asks a person', () => {
  it('shows all arguments of a call, or is refused', () => {
    const padded = { note: 'x'.repeat(400), delete_all: true };
    expect(callQuestion('notes', 'write', padded)).toContain('"delete_all":true');
    expect(() => callQuestion('notes', 'write', { note: 'x'.repeat(2000), delete_all: true })).toThrow('too long');
  });

  it('shows the address that the browser will open', () => {
    expect(linkOf('HTTPS://Example.com')).toBe('https://example.com/');
    expect(linkOf('https:\\\\evil.example')).toBe('https://evil.example/');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '/v1/keys',
    'https://hub.example@evil.example/',
    `https://${'a'.repeat(300)}:b@evil.example/`,
    `https://evil.example/${'a'.repeat(2000)}`,
  ])('may not open %s', (address) => {
    expect(() => linkOf(address)).toThrow(Error);
  });
});
