import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord, snippetsOf } from './snippets.js';

describe('snippets', () => {
  it('make the same call from a shell and from a program', () => {
    const [curl, cli, typescript] = snippetsOf({
      origin: 'http://127.0.0.1:2091',
      server: 'a b',
      tool: 'get-sum',
      args: { a: 2, note: "it's" },
    }).map(({ text }) => text);
    expect(curl).toContain('http://127.0.0.1:2091/servers/a%20b/tools/get-sum');
    expect(curl).toContain(`-d '{"a":2,"note":"it'\\''s"}'`);
    expect(cli).toBe(`npx plugboard call 'a b' get-sum --json-args '{"a":2,"note":"it'\\''s"}'`);
    expect(typescript).toContain('"note": "it\'s"');
  });

  it('quote any text as one word of a shell', () => {
    // What a POSIX shell reads: a word without special characters, or parts in quotes with escaped quotes between them.
    const read = (word: string): string =>
      word.startsWith("'") ? word.slice(1, -1).split(`'\\''`).join("'") : word.replaceAll(/[^\w@%+=:,./-]/gu, '');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const word = shellWord(text);
        expect(read(word)).toBe(text);
        expect(word.replaceAll(`'\\''`, '').slice(1, -1)).not.toContain("'");
      }),
    );
  });
});
