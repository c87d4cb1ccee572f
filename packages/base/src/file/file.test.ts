import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { hasErrorCode } from './error-code.js';
import { fileExists } from './file-exists.js';
import { isWithin } from './is-within.js';

const NOWHERE = `${import.meta.filename}.none`;

it('tells whether something is at a path', async () => {
  expect(await fileExists(import.meta.filename)).toBe(true);
  expect(await fileExists(import.meta.dirname)).toBe(true);
  expect(await fileExists(NOWHERE)).toBe(false);
});

it('recognises the code of a failure of the system', async () => {
  const thrown = await readFile(NOWHERE).catch((error: unknown) => error);
  expect(hasErrorCode(thrown, 'ENOENT')).toBe(true);
  expect(hasErrorCode(thrown, 'EACCES', 'ENOENT')).toBe(true);
  expect(hasErrorCode(thrown, 'EACCES')).toBe(false);
  expect(hasErrorCode(new Error('other'), 'ENOENT')).toBe(false);
  expect(hasErrorCode({ code: 'ENOENT' }, 'ENOENT')).toBe(false);
});

it.each([
  ['/home/ada', '/home/ada', true],
  ['/home/ada', '/home/ada/notes/today', true],
  ['/home/ada', '/home/ada/..hidden', true],
  ['/', '/etc', true],
  ['/home/ada', '/home', false],
  ['/home/ada', '/home/adam', false],
  ['/home/ada', '/home/ada/../eve', false],
])('tells whether %s contains %s', (directory, path, contained) => {
  expect(isWithin(directory, path)).toBe(contained);
});
