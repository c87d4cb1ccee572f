import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source.js';

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly '@plugboard/source'?: string } | string>>;
}

const EXPORT_LIST = /^export (?<typeOnly>type )?\{(?<names>[^}]*)\}/gmu;
const DECLARATION = /^export (?:const|class|function|async function|(?<type>interface|type)) (?<name>\w+)/gmu;

/** What an entry file offers. Nothing is passed on with `export *`, so that reading the file is enough. */
const surfaceOf = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/^export (?:\*|default)/mu);
  const listed = [...text.matchAll(EXPORT_LIST)].flatMap(({ groups }) =>
    String(groups?.['names'])
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => (groups?.['typeOnly'] === undefined || name.startsWith('type ') ? name : `type ${name}`)),
  );
  const declared = [...text.matchAll(DECLARATION)].map(({ groups }) =>
    groups?.['type'] === undefined ? String(groups?.['name']) : `type ${groups['name']}`,
  );
  return [...listed, ...declared];
};

const entriesOf = (folder: string): readonly (readonly [string, string])[] => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    const source = typeof target === 'string' ? undefined : target['@plugboard/source'];
    return source === undefined ? [] : [[path, join(root, 'packages', folder, source)] as const];
  });
};

const libraries = readdirSync(join(root, 'packages')).filter((folder) => entriesOf(folder).length > 0);

// A new name is a promise to users: review the file, then write it with `npx vitest run --project architecture -u`.
describe('the public surface of a package changes only on purpose', () => {
  it.each(libraries)('%s', async (folder) => {
    const lines = entriesOf(folder).flatMap(([path, file]) => [
      `# ${path === '.' ? 'the package' : path}`,
      ...surfaceOf(file).toSorted(),
      '',
    ]);
    await expect(lines.join('\n')).toMatchFileSnapshot(`surface/${folder}.txt`);
  });
});
