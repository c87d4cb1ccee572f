import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from './shell-word.js';
import { type Snippet, snippetsOf } from './snippets.js';

const HUB = { origin: 'http://127.0.0.1:2091', server: 'shop', args: {} };
const textOf = (snippet: Snippet): string | undefined => ('text' in snippet ? snippet.text : undefined);

describe('snippets', () => {
  it('make the same call from a shell and from a program', () => {
    const [curl, cli, typescript] = snippetsOf({
      origin: 'http://127.0.0.1:2091',
      server: 'a b',
      tool: 'get-sum',
      args: { a: 2, note: "it's" },
    }).map(textOf);
    expect(curl).toContain('http://127.0.0.1:2091/servers/a%20b/tools/get-sum');
    expect(curl).toContain(`-d '{"a":2,"note":"it'\\''s"}'`);
    expect(cli).toBe(`npx plugboard call 'a b' get-sum --json-args '{"a":2,"note":"it'\\''s"}'`);
    expect(typescript).toContain('"note": "it\'s"');
  });

  it('a name that looks like an option is none', () => {
    const [curl, cli] = snippetsOf({ ...HUB, tool: '--hub=http://e', args: { a: 1 } }).map(textOf);
    expect(cli).toBe(`npx plugboard call --json-args '{"a":1}' -- shop --hub=http://e`);
    expect(curl).toContain('/tools/--hub%3Dhttp%3A%2F%2Fe');
    expect(snippetsOf({ ...HUB, tool: '=ls' }).map(textOf)[1]).toContain(` '=ls' `);
  });

  it.each(['a\u001b[201~\nid', 'a\u202Eb', 'a\u009Bb', 'a\nid', 'a\u2028b', 'a\uD800b'])(
    'no hidden character of the name %j or of the arguments gets out',
    (tool) => {
      const [curl, cli, typescript] = snippetsOf({ ...HUB, tool, args: { [tool]: tool } });
      expect([curl, cli]).toEqual([
        { name: 'curl', reason: expect.stringContaining('control') as string },
        { name: 'CLI', reason: expect.stringContaining('control') as string },
      ]);
      const program = typescript === undefined ? undefined : textOf(typescript);
      expect(program).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      const literal = /name: (".*"),\n {2}arguments/u.exec(program ?? '')?.[1];
      expect(JSON.parse(literal ?? 'null')).toBe(tool);
      for (const snippet of snippetsOf({ ...HUB, tool: 'plain', args: { [tool]: tool } })) {
        expect(textOf(snippet)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }
    },
  );

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
