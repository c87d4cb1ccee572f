import { posix } from 'node:path';
import { specifiers, type SourceFile } from './source.js';

/** Which folder of a package may import which others. Each folder has a row; `.` is the one of `index.ts`. */
export type FolderTable = Readonly<Record<string, readonly string[]>>;

/** The folder of a file; undefined if it has no row. */
const folderOf = (table: FolderTable, path: string): string | undefined => {
  const folder = posix.dirname(path);
  return Object.hasOwn(table, folder) ? folder : undefined;
};

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly because: string;
}

const inPackage = (file: SourceFile): string => file.path.split('/').slice(3).join('/');

const edgesOf = (table: FolderTable, file: SourceFile): Edge[] => {
  const path = inPackage(file);
  const from = folderOf(table, path) ?? '?';
  return specifiers(file.text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier))
    .filter((target) => !target.startsWith('..'))
    .map((target) => ({ from, to: folderOf(table, target) ?? '?', because: `${path} -> ${target}` }))
    .filter((edge) => edge.from !== edge.to);
};

/** Files in a folder that the table does not name. */
export const homeless = (table: FolderTable, files: readonly SourceFile[]): string[] =>
  files.filter((file) => folderOf(table, inPackage(file)) === undefined).map((file) => file.path);

/** Imports that the table does not allow. Types count: a reader follows them too. */
export const breaches = (table: FolderTable, files: readonly SourceFile[]): string[] =>
  files
    .flatMap((file) => edgesOf(table, file))
    .filter(({ from, to }) => !(table[from] ?? []).includes(to))
    .map(({ from, to, because }) => `${from} must not import ${to}: ${because}`);

/** What the table allows although nothing needs it. */
export const unused = (table: FolderTable, files: readonly SourceFile[]): string[] => {
  const used = new Set(files.flatMap((file) => edgesOf(table, file)).map(({ from, to }) => `${from} -> ${to}`));
  return Object.entries(table)
    .flatMap(([from, targets]) => targets.map((to) => `${from} -> ${to}`))
    .filter((edge) => !used.has(edge));
};

/** The folders of the table that can be reached from themselves. Files follow the table, so they have no cycle either. */
export const cyclic = (table: FolderTable): string[] => {
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(table[start] ?? [])];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      open.push(...(table[folder] ?? []));
    }
    return seen;
  };
  return Object.keys(table).filter((folder) => reachable(folder).has(folder));
};
