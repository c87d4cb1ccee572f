import { describe, expect, it } from 'vitest';
import { breaches, cyclic, type FolderTable, homeless, unused } from './folder-rules.js';
import { CHECK } from './folders/check.js';
import { BASE } from './folders/base.js';
import { AGENT } from './folders/agent.js';
import { CLIENT } from './folders/client.js';
import { CONSOLE } from './folders/console.js';
import { CONTRACT } from './folders/contract.js';
import { GATEWAY } from './folders/gateway.js';
import { PLUGBOARD } from './folders/plugboard.js';
import { SCHEMA } from './folders/schema.js';
import { SERVERS } from './folders/servers.js';
import { REGISTRY } from './folders/registry.js';
import { TESTING } from './folders/testing.js';
import { WIRE } from './folders/wire.js';
import { sourceFiles, type SourceFile } from './source.js';

// Frozen literals: changing which folder may import which means changing its table in the same commit.
const TABLES: Readonly<Record<string, FolderTable>> = {
  check: CHECK,
  base: BASE,
  agent: AGENT,
  client: CLIENT,
  console: CONSOLE,
  contract: CONTRACT,
  plugboard: PLUGBOARD,
  gateway: GATEWAY,
  registry: REGISTRY,
  schema: SCHEMA,
  servers: SERVERS,
  testing: TESTING,
  wire: WIRE,
};

const NOT_SHIPPED = /\.(?:test|contract)\.tsx?$|\/test-support\//u;

const filesOf = (name: string): SourceFile[] =>
  sourceFiles.filter((file) => file.packageName === name && !NOT_SHIPPED.test(file.path));

describe.each(Object.entries(TABLES))('the folders of %s', (name, table) => {
  const files = filesOf(name);

  it('all stand in the table', () => {
    expect(files).not.toEqual([]);
    expect(homeless(table, files)).toEqual([]);
  });

  it('import along the table', () => {
    expect(breaches(table, files)).toEqual([]);
  });

  it('use everything that the table allows', () => {
    expect(unused(table, files)).toEqual([]);
  });

  it('have no cycle', () => {
    expect(cyclic(table)).toEqual([]);
  });
});

describe('the rules of folders', () => {
  const table: FolderTable = {
    '.': ['inner', 'outer'],
    outer: ['inner', 'outer/deep'],
    'outer/deep': ['inner'],
    inner: [],
  };
  const file = (path: string, text: string): SourceFile => ({
    path: `packages/sample/src/${path}`,
    packageName: 'sample',
    text,
    isTest: false,
  });

  it.each([
    ['against the table', 'inner/a.ts', `import { b } from '../outer/b.js';`, 'inner must not import outer'],
    ['of a type', 'inner/a.ts', `import type { B } from '../outer/b.js';`, 'inner must not import outer'],
    ['that is dynamic', 'inner/a.ts', `await import('../outer/b.js');`, 'inner must not import outer'],
    ['that passes something on', 'inner/a.ts', `export { b } from '../outer/b.js';`, 'inner must not import outer'],
    ['of a file beside index.ts', 'inner/a.ts', `import { b } from '../b.js';`, 'inner must not import .'],
    [
      'from a nested folder to the one above',
      'outer/deep/a.ts',
      `import { b } from '../b.js';`,
      'outer/deep must not import outer',
    ],
    ['of a folder without a row', 'inner/a.ts', `import { b } from '../new/b.js';`, 'inner must not import ?'],
    ['of a nested folder without a row', 'outer/a.ts', `import { b } from './new/b.js';`, 'outer must not import ?'],
  ])('find an import %s', (_, path, text, breach) => {
    expect(breaches(table, [file(path, text)])).toEqual([expect.stringContaining(`${breach}: ${path} -> `)]);
  });

  it('let files import along the table, within their folder and from other packages', () => {
    const text = `import '../inner/a.js'; import './deep/b.js'; import './c.js'; import '@plugboard/contract';`;
    expect(breaches(table, [file('outer/a.ts', text)])).toEqual([]);
  });

  it('find a file in a folder without a row', () => {
    expect(homeless(table, [file('new/a.ts', ''), file('a.ts', ''), file('outer/other/a.ts', '')])).toEqual([
      'packages/sample/src/new/a.ts',
      'packages/sample/src/outer/other/a.ts',
    ]);
  });

  it('find a cycle, of two folders and of three', () => {
    expect(cyclic({ a: ['b'], b: ['a'], c: ['a'] })).toEqual(['a', 'b']);
    expect(cyclic({ a: ['b'], b: ['c'], c: ['a'], d: [] })).toEqual(['a', 'b', 'c']);
    expect(cyclic(table)).toEqual([]);
  });

  it('find what is allowed for nothing', () => {
    expect(unused({ a: ['b'], b: [] }, [file('a/x.ts', `import './y.js';`)])).toEqual(['a -> b']);
  });
});
