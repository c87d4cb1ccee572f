import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../../architecture/source.js';

const run = promisify(execFile);
let packages = '';

beforeEach(async () => {
  packages = await mkdtemp(join(tmpdir(), 'stale-output-'));
});
afterEach(async () => {
  await rm(packages, { recursive: true, force: true });
});

const write = async (...paths: string[]): Promise<void> => {
  for (const path of paths) {
    await mkdir(dirname(join(packages, path)), { recursive: true });
    await writeFile(join(packages, path), '');
  }
};
const compiled = (module: string): string[] => ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((end) => module + end);
const removeStale = async (): Promise<string> =>
  (await run(process.execPath, [join(root, 'scripts/remove-stale-output.mjs'), packages])).stdout;
const left = async (): Promise<string[]> =>
  (await readdir(join(packages, 'a/dist'), { recursive: true })).map((path) => path.replaceAll('\\', '/')).toSorted();

it('removes the output of a moved source, and the folder that is empty then', async () => {
  await write('a/src/new/kept.ts', 'a/src/page.tsx', ...compiled('a/dist/new/kept'), 'a/dist/page.d.ts');
  await write(...compiled('a/dist/old/place/kept'));
  expect(await removeStale()).toBe(`removed stale output of a: ${join('old', 'place', 'kept')}\n`);
  expect(await left()).toEqual(['new', ...compiled('new/kept').toSorted(), 'page.d.ts']);
});

it('leaves bundles, data and empty folders that it did not empty', async () => {
  await write('a/src/main.ts', ...compiled('a/dist/main'), 'a/dist/chunk/core-1.js', 'a/dist/.tsbuildinfo');
  await write('a/dist/site/index.html', 'b/src/main.ts');
  await mkdir(join(packages, 'a/dist/empty'));
  const before = await left();
  expect(await removeStale()).toBe('');
  expect(await left()).toEqual(before);
});
