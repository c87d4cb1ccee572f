import { constants } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileExists, isWithin } from '@plugboard/base';
import type { ProcessSpec } from '../program/process-spec.js';

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const isExecutable = async (path: string): Promise<boolean> => {
  if (!(await isFile(path))) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
};

/** The full path of a command, looked for as the system would; undefined when there is none. */
export const findProgram = async (
  command: string,
  { env, cwd = '/' }: Pick<ProcessSpec, 'env' | 'cwd'>,
): Promise<string | undefined> => {
  if (command.includes('/')) return resolve(cwd, command);
  for (const directory of (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(':')) {
    const path = join(resolve(cwd, directory), command);
    if (await isExecutable(path)) return path;
  }
  return undefined;
};

const firstLine = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString('latin1', 0, bytesRead).split('\n', 1)[0] ?? '';
  } finally {
    await file.close();
  }
};

/** The program that runs a script: `#!/usr/bin/env node` means the node that PATH leads to. */
const interpreterOf = async (path: string, spec: ProcessSpec): Promise<string | undefined> => {
  const line = await firstLine(path).catch(() => '');
  if (!line.startsWith('#!')) return undefined;
  const [interpreter = '', ...words] = line.slice(2).trim().split(/\s+/u);
  if (basename(interpreter) !== 'env') return isAbsolute(interpreter) ? interpreter : undefined;
  const named = words.find((word) => !word.startsWith('-') && !word.includes('='));
  return named === undefined ? undefined : findProgram(named, spec);
};

const ancestors = (path: string): readonly string[] => {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
};

/** Directories in which others' things lie as well; of these only the file itself is shown. */
const isTooWide = (directory: string, userHome: string): boolean =>
  isWithin(directory, userHome) || ['/', '/etc', '/var', '/tmp', '/home', '/root', '/srv', '/mnt'].includes(directory);

const installedBeside = (prefix: string): readonly string[] =>
  ['bin', 'lib', 'lib64', 'libexec'].map((name) => join(prefix, name));

/** What a file needs around it: its package, the modules that Node finds from there, or the prefix it is installed in. */
const surroundings = async (file: string): Promise<readonly string[]> => {
  const directory = dirname(file);
  const prefix = dirname(directory);
  if (basename(directory) === 'bin') {
    if (await fileExists(join(prefix, 'pyvenv.cfg'))) return [prefix];
    if (!(await fileExists(join(prefix, 'package.json')))) return installedBeside(prefix);
  }
  const above = ancestors(directory);
  const modules = above.filter((path) => basename(path) === 'node_modules').slice(-1);
  const reachable = above.filter((path) => basename(path) !== 'node_modules').map((path) => join(path, 'node_modules'));
  const manifests = await Promise.all(above.map((path) => fileExists(join(path, 'package.json'))));
  return [above[manifests.indexOf(true)] ?? directory, ...modules, ...reachable];
};

const ofFile = async (file: string, userHome: string): Promise<readonly string[]> => {
  const real = await realpath(file);
  const around = [...(await surroundings(file)), ...(await surroundings(real))];
  const narrow = around.filter((path) => !isTooWide(path, userHome));
  const found = await Promise.all(narrow.map(fileExists));
  return [file, real, ...narrow.filter((_path, index) => found[index])];
};

/** The files that a program consists of: itself, what runs it, and the script among its arguments. */
export const programFiles = async (program: string, spec: ProcessSpec): Promise<readonly string[]> => {
  const userHome = resolve(spec.env['HOME'] ?? '/');
  const interpreter = await interpreterOf(program, spec);
  const named = spec.args.filter((word) => !word.startsWith('-')).map((word) => resolve(spec.cwd ?? '/', word));
  const scripts = await Promise.all(named.map(isFile));
  const script = named.find((_path, index) => scripts[index]);
  const files = [program, interpreter, script].filter((file) => file !== undefined);
  return (await Promise.all(files.map((file) => ofFile(file, userHome)))).flat();
};
