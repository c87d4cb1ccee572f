import { CollectionError } from '../collections-error.js';
import type { CollectionModel, EnvironmentModel } from '../model/collection-model.js';
import { listDocuments, readDocumentText, type DirectoryFile } from './directory-files.js';
import { readDocument, type LibraryDocument } from './read-document.js';

export interface LibraryProblem {
  readonly id: string;
  readonly message: string;
}

export interface LibraryContent {
  readonly collections: readonly CollectionModel[];
  readonly environments: readonly EnvironmentModel[];
  readonly problems: readonly LibraryProblem[];
}

type Read = LibraryDocument | { readonly kind: 'problem'; readonly message: string };

/** What lies in one directory; files are read again when they change. */
export class CollectionLibrary {
  readonly #root: string;
  readonly #read = new Map<string, { readonly stamp: string; readonly read: Read }>();

  constructor(root: string) {
    this.#root = root;
  }

  async content(): Promise<LibraryContent> {
    const files = await listDocuments(this.#root);
    const collections: CollectionModel[] = [];
    const environments: EnvironmentModel[] = [];
    const problems: LibraryProblem[] = [];
    for (const file of files) {
      const read = await this.#document(file);
      if (read.kind === 'collection') collections.push(read.collection);
      if (read.kind === 'environment') environments.push(read.environment);
      if (read.kind === 'problem') problems.push({ id: file.id, message: read.message });
    }
    for (const id of this.#read.keys()) if (!files.some((file) => file.id === id)) this.#read.delete(id);
    return { collections, environments, problems };
  }

  /** By id, or by name where it is the only one. Neither ever becomes a path. */
  async collection(wanted: string): Promise<CollectionModel> {
    const { collections, problems } = await this.content();
    const problem = problems.find(({ id }) => id === wanted);
    if (problem !== undefined) throw new CollectionError('COLLECTION_INVALID', problem.message);
    return only(collections, wanted) ?? refuse('COLLECTION_NOT_FOUND');
  }

  async environment(wanted: string): Promise<EnvironmentModel> {
    return only((await this.content()).environments, wanted) ?? refuse('ENVIRONMENT_NOT_FOUND');
  }

  async #document(file: DirectoryFile): Promise<Read> {
    const found = await readDocumentText(this.#root, file);
    if (found === undefined) return { kind: 'problem', message: 'The file cannot be read, or is larger than 8 MiB.' };
    const known = this.#read.get(file.id);
    if (known?.stamp === found.stamp) return known.read;
    const read = await attempt(file.id, found.text);
    this.#read.set(file.id, { stamp: found.stamp, read });
    return read;
  }
}

const attempt = async (id: string, text: string): Promise<Read> => {
  try {
    return await readDocument(id, text);
  } catch (error) {
    const message =
      error instanceof CollectionError ? error.message : new CollectionError('COLLECTION_INVALID').message;
    return { kind: 'problem', message };
  }
};

const only = <T extends { readonly id: string; readonly name: string }>(
  all: readonly T[],
  wanted: string,
): T | undefined => {
  const named = all.filter(({ name }) => name === wanted);
  return all.find(({ id }) => id === wanted) ?? (named.length === 1 ? named[0] : undefined);
};

const refuse = (code: 'COLLECTION_NOT_FOUND' | 'ENVIRONMENT_NOT_FOUND'): never => {
  throw new CollectionError(code);
};
