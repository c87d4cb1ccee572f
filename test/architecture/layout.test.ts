import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageNames, root, sourceFiles, specifiers, type SourceFile } from './source.js';

// Frozen literal: changing the architecture means changing this table in the same commit.
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: ['base'],
  wire: ['base'],
  schema: ['base', 'contract'],
  client: ['base', 'contract', 'wire'],
  agent: ['base', 'client', 'contract', 'schema'],
  registry: ['base', 'contract', 'schema'],
  gateway: ['base', 'client', 'contract', 'schema', 'wire'],
  testing: ['contract'],
  check: ['contract', 'schema', 'testing'],
  servers: ['base'],
  console: ['contract'],
  plugboard: [
    'agent',
    'base',
    'check',
    'client',
    'contract',
    'gateway',
    'registry',
    'schema',
    'servers',
    'testing',
    'wire',
  ],
};

const BANNED_NAME = /(?:^|[-_.])(?:manager|(?<!health-)service|helper|util|utils|helpers|common|misc)s?(?:[-_.]|$)/iu;

const product = sourceFiles.filter((file) => !file.isTest);

const workspaceTarget = (file: SourceFile, specifier: string): string | undefined => {
  if (specifier.startsWith('@plugboard/')) return specifier.slice('@plugboard/'.length);
  if (!specifier.startsWith('.')) return undefined;
  return relative(join(root, 'packages'), resolve(root, dirname(file.path), specifier)).replaceAll('\\', '/');
};

const breaches = (file: SourceFile): string[] =>
  specifiers(file.text).flatMap((specifier) => {
    const target = workspaceTarget(file, specifier);
    if (target === undefined) return [];
    const [name = '', ...rest] = target.split('/');
    if (name === file.packageName && !specifier.startsWith('@')) return [];
    const frontDoor = specifier.startsWith('@plugboard/') && (rest.length === 0 || name === 'testing');
    const allowed = (MAY_IMPORT[file.packageName] ?? []).includes(name) || (file.isTest && name === 'testing');
    return allowed && frontDoor ? [] : [`${file.path} -> ${specifier}`];
  });

const manifest = (name: string): { dependencies?: Record<string, string>; devDependencies?: Record<string, string> } =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as never;

describe('the layout', () => {
  it('is read in full: every package has source', () => {
    const empty = packageNames.filter((name) => !sourceFiles.some((file) => file.packageName === name));
    expect(empty).toEqual([]);
  });

  it('has only packages that the table knows', () => {
    expect(packageNames.filter((name) => !Object.hasOwn(MAY_IMPORT, name))).toEqual([]);
  });

  it('declares in package.json only the edges of the table', () => {
    const foreign = packageNames.flatMap((name) =>
      Object.keys(manifest(name).dependencies ?? {})
        .filter((key) => key.startsWith('@plugboard/'))
        .filter((key) => !(MAY_IMPORT[name] ?? []).includes(key.slice('@plugboard/'.length)))
        .map((key) => `${name} -> ${key}`),
    );
    expect(foreign).toEqual([]);
  });

  it('imports along the table and through the front door', () => {
    expect(product.flatMap(breaches)).toEqual([]);
  });

  it('lets tests reach no further than their package and the test kit', () => {
    expect(sourceFiles.filter((file) => file.isTest).flatMap(breaches)).toEqual([]);
  });

  it('names files by what they are', () => {
    const words = (part: string): string => part.replaceAll(/([a-z])([A-Z])/gu, '$1-$2');
    const bad = sourceFiles.filter((file) =>
      file.path
        .split('/')
        .slice(3)
        .some((part) => BANNED_NAME.test(words(part))),
    );
    expect(bad.map((file) => file.path)).toEqual([]);
  });

  it('leaves the dates of revisions to the codec', () => {
    const dated = product.filter(
      (file) => ['gateway', 'registry'].includes(file.packageName) && /'20\d\d-\d\d-\d\d'/u.test(file.text),
    );
    expect(dated.map((file) => file.path)).toEqual([]);
  });

  it('exports by name from package entries', () => {
    const bad = sourceFiles.filter((file) => file.path.endsWith('src/index.ts') && /export \*/u.test(file.text));
    expect(bad.map((file) => file.path)).toEqual([]);
  });

  it('reads the environment, the arguments and exits only in the composition root', () => {
    const reads = /\bprocess\.(?:env|exit|argv)\b|from 'node:process'/u;
    // The entry of the fake server process is a program of its own, and so is each bundled server: people run them without
    // the hub. Their mains hand the process on as an argument; nothing below reads it by itself.
    const isProgram = (file: SourceFile): boolean =>
      /^packages\/(?:testing\/src\/.*-entry|servers\/src\/[^/]+\/main)\.ts$/u.test(file.path);
    const bad = product.filter((file) => file.packageName !== 'plugboard' && !isProgram(file) && reads.test(file.text));
    expect(bad.map((file) => file.path)).toEqual([]);
  });

  it('keeps files short enough to be one concept', () => {
    const long = product.filter((file) => file.text.split('\n').length > 400);
    expect(long.map((file) => file.path)).toEqual([]);
  });
});
