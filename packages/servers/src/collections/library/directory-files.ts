import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { hasErrorCode } from '@plugboard/base';

const MAX_DEPTH = 6;
const MAX_FILES = 1000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const EXTENSION = /\.(?:json|ya?ml)$/iu;

export interface DirectoryFile {
  /** Relative, with `/`: the only form in which callers know it. */
  readonly id: string;
  readonly path: string;
}

/** The documents in a directory and below. Links are not followed: nothing outside is ever listed. */
export const listDocuments = async (root: string): Promise<readonly DirectoryFile[]> => {
  const found: DirectoryFile[] = [];
  const visit = async (folder: readonly string[]): Promise<void> => {
    if (folder.length > MAX_DEPTH) return;
    const entries = await readdir(join(root, ...folder), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (found.length >= MAX_FILES) return;
      const parts = [...folder, entry.name];
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') {
        await visit(parts);
      } else if (entry.isFile() && EXTENSION.test(entry.name)) {
        found.push({ id: parts.join('/'), path: join(root, ...parts) });
      }
    }
  };
  try {
    await visit([]);
  } catch (error) {
    // A directory that is not there yet has no collections.
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) {
      throw error;
    }
  }
  return found;
};

export interface DocumentText {
  readonly text: string;
  /** Changes when the file does. */
  readonly stamp: string;
}

/** Undefined when the file is gone, too large, or was exchanged for something that lies outside. */
export const readDocumentText = async (root: string, { path }: DirectoryFile): Promise<DocumentText | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const inside = await realpath(root);
    if (!(await realpath(path)).startsWith(inside + sep)) return undefined;
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
    return { text: await file.readFile('utf8'), stamp: `${stats.ino}:${stats.mtimeMs}:${stats.size}` };
  } finally {
    await file.close();
  }
};
