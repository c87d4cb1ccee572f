import type { ServerView } from '@plugboard/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configOf, draftOf, EMPTY_DRAFT, problemsOf } from './server-draft.js';

describe('a draft of a server', () => {
  it('becomes the config of a program', () => {
    expect(
      configOf({
        ...EMPTY_DRAFT,
        type: 'stdio',
        command: ' npx ',
        args: '-y\nserver\n\n',
        env: 'A=1=2\nB =x',
        cwd: ' ',
      }),
    ).toEqual({
      mcp_server_type: 'stdio',
      command: 'npx',
      args: ['-y', 'server'],
      env: { A: '1=2', B: 'x' },
      cwd: null,
    });
  });

  it('becomes the config of a URL', () => {
    expect(configOf({ ...EMPTY_DRAFT, url: ' https://x/mcp ', authToken: 't', headers: 'X-Team: blue: sky' })).toEqual({
      mcp_server_type: 'streamable_http',
      server_url: 'https://x/mcp',
      auth_header: null,
      auth_token: 't',
      custom_headers: { 'X-Team': 'blue: sky' },
    });
  });

  it('shows a registered server so that sending it back changes nothing', () => {
    const word = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,8}$/u);
    const value = fc.stringMatching(/^[a-z•][a-z0-9:= ]{0,8}[a-z]$/u);
    // Programs are given scripts, keys with line breaks, and empty words.
    const anything = fc.oneof(
      value,
      fc.constantFrom('', ' ', '"', '"a"', 'a\nb', ' a', 'a '),
      fc.string({ maxLength: 8 }),
    );
    const stdio = fc.record({
      mcp_server_type: fc.constant('stdio' as const),
      command: word,
      args: fc.array(anything, { maxLength: 3 }),
      env: fc.dictionary(word, anything, { minKeys: 1, maxKeys: 3 }),
      cwd: fc.option(word),
    });
    const http = fc.record({
      mcp_server_type: fc.constantFrom('sse' as const, 'streamable_http' as const),
      server_url: fc.constant('https://x.example/mcp'),
      auth_header: fc.option(word),
      auth_token: fc.option(word),
      custom_headers: fc.dictionary(word, value, { minKeys: 1, maxKeys: 3 }),
    });
    fc.assert(
      fc.property(fc.oneof(stdio, http), (config) => {
        const view = { server_name: 'a', ...config } as unknown as ServerView;
        expect(configOf(draftOf(view))).toEqual({ ...config });
      }),
    );
  });

  it('says what is missing', () => {
    expect(problemsOf(EMPTY_DRAFT)).toEqual({
      name: 'Give the server a name.',
      url: 'Enter a URL that begins with http:// or https://.',
    });
    expect(problemsOf({ ...EMPTY_DRAFT, name: 'a/b', type: 'stdio' })).toEqual({
      name: expect.stringContaining('Begin with a letter or digit'),
      command: 'Name the program to run.',
    });
    expect(problemsOf({ ...EMPTY_DRAFT, name: 'my server', url: 'http://x' })).toEqual({});
    expect(problemsOf({ ...EMPTY_DRAFT, name: 'a'.repeat(65), url: 'http://x' })).toHaveProperty('name');
  });
});
