import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin, fileExists } from '@plugboard/base';
import { DocumentError } from '../document-error.js';
import { checkPathForm, pathRefused } from './path-form.js';

const realOrNothing = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

export interface DirectoryNames {
  readonly allowed: readonly string[];
  /** Files and directories that are not read although they lie in an allowed directory. They need not exist yet. */
  readonly denied?: readonly string[] | undefined;
  /** What relative names are relative to. */
  readonly cwd: string;
}

/** Files that only the home of a hub has. A directory with one of them is never read: it holds keys. */
const HUB_FILES = ['master.key', 'hub.json', 'plugboard.db'] as const;

/** What the flags of the server allow and exclude, as real paths. */
interface PathGrant {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

const isHubHome = async (directory: string): Promise<boolean> =>
  (await Promise.all(HUB_FILES.map((name) => fileExists(join(directory, name))))).includes(true);

/**
 * Why a path may not be read, if it may not. Of two directories that contain it, one allowed and one denied, the deeper
 * one decides, so that a directory inside a denied one can be allowed.
 */
const exclusionOf = async ({ allowed, denied }: PathGrant, path: string): Promise<string | undefined> => {
  const [base] = allowed.filter((directory) => isWithin(directory, path)).toSorted((a, b) => b.length - a.length);
  if (base === undefined) return 'it is outside of the allowed directories';
  const parts = relative(base, path).split(sep);
  if (parts.some((part) => part.startsWith('.'))) return 'it is hidden or lies in a hidden directory';
  if (denied.some((entry) => isWithin(entry, path) && (entry === base || !isWithin(entry, base)))) {
    return 'it is excluded';
  }
  for (const index of parts.keys()) {
    if (await isHubHome(join(base, ...parts.slice(0, index)))) return 'it lies in the home of a hub';
  }
  return undefined;
};

/** Directories from which documents may be read: real paths, so that links cannot lead out. */
export class AllowedDirectories {
  readonly #grant: PathGrant;
  /** What the roots of a client leave of the grant. */
  readonly #directories: readonly string[];

  private constructor(grant: PathGrant, directories: readonly string[]) {
    this.#grant = grant;
    this.#directories = directories;
  }

  /** Throws the directory that does not exist. */
  static async of({ allowed, denied = [], cwd }: DirectoryNames): Promise<AllowedDirectories> {
    const real = await Promise.all(
      allowed.map(async (path) => {
        const found = await realOrNothing(resolve(cwd, path));
        if (found === undefined) throw new DocumentError('NOT_FOUND', `There is no directory ${path}.`);
        return found;
      }),
    );
    const excluded = await Promise.all(
      denied.map(async (path) => (await realOrNothing(resolve(cwd, path))) ?? resolve(cwd, path)),
    );
    return new AllowedDirectories({ allowed: real, denied: excluded }, real);
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
    return new AllowedDirectories(this.#grant, [...new Set(narrowed)]);
  }

  /** The real path of a document; what lies outside is refused without a look whether it exists. */
  async locate(path: string): Promise<string> {
    checkPathForm(path);
    const candidates = isAbsolute(path) ? [path] : this.#directories.map((directory) => resolve(directory, path));
    const inside = candidates.filter((candidate) => this.#contains(candidate));
    if (inside.length === 0) throw pathRefused('it is outside of the allowed directories');
    let excluded: string | undefined;
    for (const candidate of inside) {
      const why = await exclusionOf(this.#grant, candidate);
      excluded ??= why;
      const real = why === undefined ? await realOrNothing(candidate) : undefined;
      if (real === undefined) continue;
      if (!this.#contains(real)) throw pathRefused('a link leads out of the allowed directories');
      const behind = await exclusionOf(this.#grant, real);
      if (behind !== undefined) throw pathRefused(behind);
      return real;
    }
    if (excluded !== undefined) throw pathRefused(excluded);
    throw new DocumentError('NOT_FOUND', 'The document does not exist in the allowed directories.');
  }

  #contains(path: string): boolean {
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
