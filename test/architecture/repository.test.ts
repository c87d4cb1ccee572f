import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageNames, root } from './source.js';

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const texts = tracked.filter(
  (path) => /\.(?:ts|tsx|mjs|js|json|md|yml|yaml)$/u.test(path) && existsSync(join(root, path)),
);

describe('the repository', () => {
  it('pins every dependency to an exact version', () => {
    const manifests = [
      'package.json',
      'test/programs/package.json',
      'test/programs/deploy/package.json',
      ...packageNames.map((name) => `packages/${name}/package.json`),
    ];
    const loose = manifests.flatMap((path) => {
      const {
        dependencies = {},
        devDependencies = {},
        optionalDependencies = {},
      } = JSON.parse(read(path)) as Record<string, Record<string, string>>;
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version))
        .map(([name, version]) => `${path}: ${name}@${version}`);
    });
    expect(loose).toEqual([]);
  });

  const locks = ['package-lock.json', 'test/programs/package-lock.json', 'test/programs/deploy/package-lock.json'];
  it.each(locks)('names no download host in %s', (path) => {
    expect(/"resolved": "https?:/u.test(read(path))).toBe(false);
  });

  it('commits every program that npm links, because links are made before the build', () => {
    const programs = packageNames.flatMap((name) => {
      const { bin = {} } = JSON.parse(read(`packages/${name}/package.json`)) as { bin?: Record<string, string> };
      return Object.values(bin).map((path) => join('packages', name, path));
    });
    expect(programs).not.toEqual([]);
    expect(programs.filter((path) => !tracked.includes(path))).toEqual([]);
  });

  it.each(['plugboard', 'plugboard/src/cli', 'client', 'registry', 'gateway'])(
    'names every folder of %s in ARCHITECTURE.md',
    (place) => {
      const folder = join(root, 'packages', place.includes('/') ? place : `${place}/src`);
      const names = readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'test-support')
        .map(({ name }) => name);
      const architecture = read('ARCHITECTURE.md');
      expect(names.filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'u').test(architecture))).toEqual([]);
    },
  );

  it('keeps ARCHITECTURE.md short', () => {
    expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(150);
  });

  it('has no skipped, focused or empty test', () => {
    const pattern = /\b(?:it|test|describe)\.(?:skip|only|todo)\b|\bxit\(|\bxdescribe\(/u;
    const found = texts.filter(
      (path) => path.endsWith('.test.ts') && !path.includes('architecture/') && pattern.test(read(path)),
    );
    expect(found).toEqual([]);
  });

  it('combines signals in one way, which keeps deadlines from the garbage collector', () => {
    const found = texts.filter(
      (path) =>
        /^packages\/[^/]+\/src\/.*(?<!any-signal|\.test)\.tsx?$/u.test(path) && read(path).includes('AbortSignal.any('),
    );
    expect(found).toEqual([]);
  });

  it('links only to pages that exist', () => {
    const broken = texts
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/gu)]
          .map((match) => join(path, '..', match[1] ?? ''))
          .filter((target) => !existsSync(join(root, target)))
          .map((target) => `${path} -> ${target}`),
      );
    expect(broken).toEqual([]);
  });
});
