import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllowedDirectories } from './allowed-directories.js';
import { readFileSource } from './read-file-source.js';

let root = '';
let directories: AllowedDirectories;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'documents-')));
  await mkdir(join(root, 'in', 'deep'), { recursive: true });
  await mkdir(join(root, 'in-not'));
  await writeFile(join(root, 'in', 'a.txt'), 'inside');
  await writeFile(join(root, 'in', 'deep', 'b.txt'), 'deep');
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(root, 'in-not', 'c.txt'), 'sibling');
  await symlink(join(root, 'secret.txt'), join(root, 'in', 'leak.txt'));
  await symlink(root, join(root, 'in', 'up'));
  await symlink(join(root, 'in', 'a.txt'), join(root, 'in', 'same.txt'));
  directories = await AllowedDirectories.of({ allowed: ['in'], cwd: root });
});

afterAll(() => rm(root, { recursive: true, force: true }));

const read = async (path: string, from = directories): Promise<string> =>
  Buffer.from((await readFileSource(path, from, 1000)).bytes).toString();

describe('a path inside', () => {
  it('is read: relative, absolute, and through a link that stays inside', async () => {
    expect(await read('a.txt')).toBe('inside');
    expect(await read('./deep/b.txt')).toBe('deep');
    expect(await read(join(root, 'in', 'a.txt'))).toBe('inside');
    expect(await read('same.txt')).toBe('inside');
  });

  it('is refused when it is no file, is not there, or is too large', async () => {
    await expect(read('deep')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(read('none.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(readFileSource('a.txt', directories, 3)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('a path that leads out', () => {
  it.each([
    '../secret.txt',
    'deep/../../secret.txt',
    'deep/../a.txt',
    '..',
    '/etc/passwd',
    '//server/share/a.txt',
    '\\\\server\\share\\a.txt',
    'C:\\Windows\\win.ini',
    'c:/Windows/win.ini',
    'C:a.txt',
    'file:///etc/passwd',
    'FILE:a.txt',
    'http://127.0.0.1/a.txt',
    'a.txt\0.pdf',
    '',
    'leak.txt',
    'up/secret.txt',
    'x'.repeat(5000),
  ])('%j is refused and told without a path of the machine', async (path) => {
    const error = await read(path).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'PATH_REFUSED' });
    expect(String(error)).not.toContain(root);
  });

  it('is refused even when a sibling only begins with the same name', async () => {
    await expect(read(join(root, 'in-not', 'c.txt'))).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  });

  it('is never found by any string', async () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      'in',
      'up',
      'secret.txt',
      'leak.txt',
      'deep',
      '',
      '~',
      '%2e%2e',
      '\\',
      'C:',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.boolean(), async (pieces, absolute) => {
        const path = `${absolute ? `${root}/` : ''}${pieces.join('/')}`;
        const text = await read(path).catch(() => '');
        expect(text).not.toBe('secret');
      }),
      { numRuns: 200 },
    );
  });
});

describe('roots of a client', () => {
  const within = (...paths: readonly string[]) => directories.within(paths.map((path) => pathToFileURL(path).href));

  it('narrow what is allowed', async () => {
    const narrow = await within(join(root, 'in', 'deep'));
    expect(await read('b.txt', narrow)).toBe('deep');
    await expect(read('a.txt', narrow)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(read(join(root, 'in', 'a.txt'), narrow)).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  });

  it('never widen it', async () => {
    expect(await read('a.txt', await within('/'))).toBe('inside');
    await expect(read(join(root, 'secret.txt'), await within('/'))).rejects.toMatchObject({ code: 'PATH_REFUSED' });
    await expect(read('a.txt', await within(join(root, 'in-not')))).rejects.toMatchObject({ code: 'PATH_REFUSED' });
    await expect(read('a.txt', await directories.within(['https://a.example/', 'nonsense']))).rejects.toMatchObject({
      code: 'PATH_REFUSED',
    });
  });
});

describe('what is excluded from an allowed directory', () => {
  let mixed: AllowedDirectories;

  beforeAll(async () => {
    for (const folder of ['.hidden', 'state/documents', 'hub', 'keys']) {
      await mkdir(join(root, 'mixed', folder), { recursive: true });
    }
    for (const file of [
      '.env.txt',
      '.hidden/a.txt',
      'state/a.txt',
      'state/documents/a.txt',
      'hub/master.key',
      'hub/a.txt',
      'keys/a.txt',
      'b.txt',
    ]) {
      await writeFile(join(root, 'mixed', file), file);
    }
    await symlink(join(root, 'mixed', '.hidden'), join(root, 'mixed', 'shown'));
    await symlink(join(root, 'mixed', 'keys', 'a.txt'), join(root, 'mixed', 'key.txt'));
    mixed = await AllowedDirectories.of({
      allowed: ['mixed', 'mixed/state/documents'],
      denied: ['mixed/state', 'mixed/keys/a.txt', 'mixed/absent'],
      cwd: root,
    });
  });

  it.each([
    '.env.txt',
    '.hidden/a.txt',
    './.hidden/a.txt',
    'shown/a.txt',
    'state/a.txt',
    'hub/a.txt',
    'hub/master.key',
    'keys/a.txt',
    'key.txt',
    'absent/a.txt',
  ])('%s is refused, relative and absolute', async (path) => {
    for (const form of [path, join(root, 'mixed', path)]) {
      await expect(read(form, mixed)).rejects.toMatchObject({ code: 'PATH_REFUSED' });
    }
  });

  it('does not cover what stands beside it, or a directory inside that is allowed itself', async () => {
    expect(await read('b.txt', mixed)).toBe('b.txt');
    expect(await read('a.txt', mixed)).toBe('state/documents/a.txt');
  });

  it('stays excluded when the client names it as its root', async () => {
    for (const folder of ['.hidden', 'keys', 'hub']) {
      const chosen = await mixed.within([pathToFileURL(join(root, 'mixed', folder)).href]);
      await expect(read('a.txt', chosen)).rejects.toMatchObject({ code: 'PATH_REFUSED' });
    }
  });

  it('is the home of a hub even when it was allowed by mistake', async () => {
    const home = await AllowedDirectories.of({ allowed: ['mixed/hub'], cwd: root });
    await expect(read('a.txt', home)).rejects.toMatchObject({ code: 'PATH_REFUSED' });
  });
});

it('a directory that does not exist is said at once', async () => {
  await expect(AllowedDirectories.of({ allowed: ['absent'], cwd: root })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
