import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly packageName: string;
  readonly text: string;
  readonly isTest: boolean;
}

const walk = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });

export const packageNames = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
);

export const sourceFiles: readonly SourceFile[] = packageNames
  .flatMap((name) => walk(join(root, 'packages', name, 'src')))
  .filter((path) => /\.tsx?$/u.test(path))
  .map((path) => {
    const fromRoot = relative(root, path).replaceAll('\\', '/');
    return {
      path: fromRoot,
      packageName: fromRoot.split('/')[1] ?? '',
      text: readFileSync(path, 'utf8'),
      isTest: /\.(?:test|contract)\.tsx?$/u.test(fromRoot) || /\/(?:test-support|fixture)s?\//u.test(fromRoot),
    };
  });

/** Every module specifier of a file: static, dynamic, re-exported, types included. */
export const specifiers = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"]([^'"\n]+)['"]/gu)].map((match) => match[1] ?? '');
