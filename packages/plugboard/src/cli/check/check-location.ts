import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { CheckTarget, SarifLocation } from '@plugboard/check';
import { isFile } from '../input/is-file.js';
import { entryLine } from '../../mcp-json/entry-line.js';
import { splitEntry } from './check-entry.js';

/** What most repositories have, for a server that no file of theirs names. */
const MANIFESTS = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', 'pom.xml', 'README.md'];

/** Where clients and the hub look for servers. */
const CLIENT_FILES = ['plugboard.json', '.mcp.json', 'mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'];

/** The path below the working directory, as SARIF writes it; undefined when it is outside. */
const below = (cwd: string, path: string): string | undefined => {
  const inside = relative(cwd, path);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? undefined : inside.split(sep).join('/');
};

/** The line that names the server: its entry in a client's file, its address or its program. */
const lineOf = (text: string, { name, url, command }: CheckTarget): number => {
  const entry = name === undefined ? undefined : entryLine(text, name);
  if (entry !== undefined) return entry;
  const lines = text.split('\n');
  const named = lines.findIndex((line) => url !== undefined && line.includes(url));
  const declared = lines.findIndex((line) => /^\s*"?(?:url|command)"?\s*:/u.test(line));
  const found = named !== -1 ? named : command === undefined && url === undefined ? -1 : declared;
  return found + 1 || 1;
};

/** The entry of a registered server in a file of the repository. */
const entryOf = async ({ name }: CheckTarget, cwd: string): Promise<SarifLocation | undefined> => {
  for (const uri of name === undefined ? [] : CLIENT_FILES) {
    const text = await readFile(resolve(cwd, uri), 'utf8').catch(() => '');
    const line = entryLine(text, name ?? '');
    if (line !== undefined) return { uri, line };
  }
  return undefined;
};

/**
 * Where findings about a server are shown in the repository under test: the file that describes it and the line that names
 * it, the program of a command, or the manifest. Undefined when there is none of them.
 */
export const sourceLocation = async (
  target: CheckTarget,
  named: string | undefined,
  cwd: string,
): Promise<SarifLocation | undefined> => {
  const isAddress = named === undefined || named === target.url || named === target.command?.[0];
  const files = isAddress ? [] : [named, splitEntry(named).file];
  for (const file of files) {
    const path = resolve(cwd, file);
    const uri = below(cwd, path);
    if (uri !== undefined && (await isFile(path))) return { uri, line: lineOf(await readFile(path, 'utf8'), target) };
  }
  const declared = isAddress ? undefined : await entryOf(target, cwd);
  if (declared !== undefined) return declared;
  for (const candidate of [...(target.command ?? []).toReversed(), ...MANIFESTS]) {
    const path = resolve(target.command?.includes(candidate) === true ? (target.cwd ?? cwd) : cwd, candidate);
    const uri = below(cwd, path);
    if (uri !== undefined && (await isFile(path))) return { uri, line: 1 };
  }
  return undefined;
};
