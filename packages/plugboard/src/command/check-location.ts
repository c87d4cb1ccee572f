import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { CheckTarget, SarifLocation } from '@plugboard/check';

/** What most repositories have, for a server that no file of theirs names. */
const MANIFESTS = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', 'pom.xml', 'README.md'];

const isFile = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};

/** The path below the working directory, as SARIF writes it; undefined when it is outside. */
const below = (cwd: string, path: string): string | undefined => {
  const inside = relative(cwd, path);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? undefined : inside.split(sep).join('/');
};

/** The line that names the server: its address or its program. */
const lineOf = (text: string, { url, command }: CheckTarget): number => {
  const lines = text.split('\n');
  const named = lines.findIndex((line) => url !== undefined && line.includes(url));
  const declared = lines.findIndex((line) => /^\s*"?(?:url|command)"?\s*:/u.test(line));
  const found = named !== -1 ? named : command === undefined && url === undefined ? -1 : declared;
  return found + 1 || 1;
};

/**
 * Where findings about a server are shown in the repository under test: the target file and the line that names the server,
 * the program of a command, or the manifest. Undefined when there is none of them.
 */
export const sourceLocation = async (
  target: CheckTarget,
  named: string | undefined,
  cwd: string,
): Promise<SarifLocation | undefined> => {
  const file = named === undefined || named === target.url || named === target.command?.[0] ? [] : [named];
  for (const candidate of [...file, ...(target.command ?? []).toReversed(), ...MANIFESTS]) {
    const path = resolve(target.command?.includes(candidate) === true ? (target.cwd ?? cwd) : cwd, candidate);
    const uri = below(cwd, path);
    if (uri === undefined || !(await isFile(path))) continue;
    return { uri, line: file.includes(candidate) ? lineOf(await readFile(path, 'utf8'), target) : 1 };
  }
  return undefined;
};
