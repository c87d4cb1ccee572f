import { describe, expect, test } from 'vitest';
import { disclosuresIn } from './disclosure.js';
import { withoutSecrets } from './secret.js';

const LEAKING: readonly (readonly [string, string])[] = [
  [
    'a stack trace of JavaScript',
    'Error: no\n    at readNote (/srv/notes/dist/read.js:14:9)\n    at async run (node:internal/x:1:1)',
  ],
  ['a stack trace of Python', 'Traceback (most recent call last):\n  File "main.py", line 3, in <module>'],
  ['a stack trace of Java', 'failed\n\tat com.acme.Notes.read(Notes.java:42)'],
  ['a stack trace of Go', 'goroutine 17 [running]:\nmain.main()'],
  ['a stack trace of .NET', '   at Acme.Notes.Read(String id) in C:\\src\\Notes.cs:line 12'],
  ['a panic of Rust', "thread 'main' panicked at src/main.rs:4:5"],
  ['a path of the machine', "ENOENT: no such file or directory, open '/home/ada/notes/secret.txt'"],
  ['a path of the machine', 'Cannot open C:\\Users\\ada\\notes.txt'],
  ['SQL', 'near "x": SELECT id, body FROM notes WHERE id = 1'],
  ['an error of a database', 'SQLITE_CONSTRAINT: UNIQUE failed'],
  ['the name of an exception', 'java.lang.IllegalStateException was thrown'],
  ['the name of an exception', "TypeError: Cannot read properties of undefined (reading 'id')"],
  ['an internal address', 'connect ECONNREFUSED 10.0.3.7:5432'],
  ['a module of the program', 'Cannot find module in node_modules/pg'],
  ['the environment', 'env: DATABASE_URL=postgres'],
  ['a URL with a password', 'cannot reach postgres://admin:hunter2secret@db/main'],
  ['a token of GitHub', `Bad credentials: ghp_${'a1B2'.repeat(9)}`],
  ['a bearer token', 'sent Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345'],
];

const SAFE: readonly string[] = [
  'Unknown tool: no-such-tool',
  'The arguments do not fit: "text" is missing.',
  'Invalid arguments for tool echo: [{"code":"invalid_type","expected":"string","path":["text"]}]',
  'Resource not found: test://nothing',
  'Access denied - path outside allowed directories',
  'The city was not found. Try "Paris" or a postal code.',
  'Rate limit exceeded; try again in 30 s.',
  'MCP error -32602: Input validation error',
  'The file is missing. Check its name at https://example.com/help/files.',
  'password is required',
  'Select a colour from the list.',
  'Error: division by zero',
];

describe('what errors disclose', () => {
  test.each(LEAKING)('finds %s', (kind, text) => {
    expect(disclosuresIn(text)).toContain(kind);
  });

  test.each(SAFE)('finds nothing in "%s"', (text) => {
    expect(disclosuresIn(text)).toEqual([]);
  });
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ['lines without a text', '\n'.repeat(300_000)],
  ['frames that never end', '  at a(\n'.repeat(40_000)],
  ['a package without a class', 'a.'.repeat(150_000)],
  ['a query without a table', `SELECT${' '.repeat(300_000)}`],
  ['a scheme without an end', 'a-'.repeat(150_000)],
  ['half tokens', 'eyJ-'.repeat(75_000)],
  ['a host without an end', `ECONNREFUSED ${'a'.repeat(300_000)}`],
];

test.each(HOSTILE)('reads in linear time: %s', (_what, text) => {
  expect(disclosuresIn(text)).toEqual([]);
});

test('hides keys in linear time, however many begin', () => {
  const begin = '-----BEGIN PRIVATE KEY-----\n';
  expect(withoutSecrets(`${begin}x\n-----END PRIVATE KEY-----`, '[secret]')).toBe('[secret]');
  expect(withoutSecrets(begin.repeat(20_000), '')).not.toContain('BEGIN');
});
