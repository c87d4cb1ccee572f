import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '../document-error.js';
import { checkPathForm, pathRefused } from './path-form.js';

const isWithin = (directory: string, path: string): boolean => {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

const realOrNothing = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/** Directories from which documents may be read: real paths, so that links cannot lead out. */
export class AllowedDirectories {
  readonly #directories: readonly string[];

  private constructor(directories: readonly string[]) {
    this.#directories = directories;
  }

  /** Throws the directory that does not exist. */
  static async of(paths: readonly string[], cwd: string): Promise<AllowedDirectories> {
    const real = await Promise.all(
      paths.map(async (path) => {
        const found = await realOrNothing(resolve(cwd, path));
        if (found === undefined) throw new DocumentError('NOT_FOUND', `There is no directory ${path}.`);
        return found;
      }),
    );
    return new AllowedDirectories(real);
  }

  /** What is both allowed here and named by the client: roots can narrow, never widen. */
  async within(rootUris: readonly string[]): Promise<AllowedDirectories> {
    const roots = (await Promise.all(rootUris.map(rootPath))).filter((root) => root !== undefined);
    const narrowed = this.#directories.flatMap((directory) =>
      roots.flatMap((root) => {
        if (isWithin(directory, root)) return [root];
        return isWithin(root, directory) ? [directory] : [];
      }),
    );
    return new AllowedDirectories([...new Set(narrowed)]);
  }

  /** The real path of a document; what lies outside is refused without a look whether it exists. */
  async locate(path: string): Promise<string> {
    checkPathForm(path);
    const candidates = isAbsolute(path) ? [path] : this.#directories.map((directory) => resolve(directory, path));
    const inside = candidates.filter((candidate) => this.#allows(candidate));
    if (inside.length === 0) throw pathRefused('it is outside of the allowed directories');
    for (const candidate of inside) {
      const real = await realOrNothing(candidate);
      if (real === undefined) continue;
      if (!this.#allows(real)) throw pathRefused('a link leads out of the allowed directories');
      return real;
    }
    throw new DocumentError('NOT_FOUND', 'There is no such document in the allowed directories.');
  }

  #allows(path: string): boolean {
    return this.#directories.some((directory) => isWithin(directory, path));
  }
}

const rootPath = async (uri: string): Promise<string | undefined> => {
  try {
    return await realOrNothing(fileURLToPath(uri));
  } catch {
    // A root that is no file of this machine allows nothing here.
    return undefined;
  }
};
