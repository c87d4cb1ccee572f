import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, sourceFiles, specifiers } from './source.js';

/** Where parts that know each other only as ports are put together. */
const COMPOSERS = [
  'packages/gateway/src/gateway.ts',
  'packages/gateway/src/index.ts',
  'packages/client/src/index.ts',
  'packages/client/src/fast-path/direct-access.ts',
  'packages/client/src/session/transport-source.ts',
];

const textOf = new Map(sourceFiles.map(({ path, text }) => [path, text]));

const importsOf = (path: string): readonly string[] =>
  specifiers(textOf.get(path) ?? '')
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier).replace(/\.js$/u, '.ts'));

const fileOf = (name: string): string => name.replace(/^([a-z]+)\//u, 'packages/$1/src/').concat('.ts');

const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const walks = ['To a stdio server: ', 'To an HTTP server: ', 'To a stdio server, on the full path: '].map((title) => {
  const line = architecture.split('\n').find((each) => each.startsWith(`- ${title}`)) ?? '';
  return [title, [...line.matchAll(/`([^`]+)`/gu)].map((match) => fileOf(match[1] ?? ''))] as const;
});

describe.each(walks)('the walk of a call. %s', (_title, files) => {
  it('names files that exist', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !textOf.has(path))).toEqual([]);
  });

  it('goes from each file to one that an earlier file imports, or that is handed to it', () => {
    const unreached = files.slice(1).filter((path, index) => {
      const before = [...files.slice(0, index + 1), ...COMPOSERS];
      return !before.some((earlier) => importsOf(earlier).includes(path));
    });
    expect(unreached).toEqual([]);
  });
});
