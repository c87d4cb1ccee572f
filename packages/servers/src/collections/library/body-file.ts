import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { CollectionError } from '../collections-error.js';

const MAX_BYTES = 8 * 1024 * 1024;

/** Segments below the directory: no way up, no hidden file, no drive. */
const segmentsOf = (src: string): readonly string[] | undefined => {
  const segments = src
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  const decent = segments.every((segment) => !segment.startsWith('.') && !/[\0:]/u.test(segment));
  return src.startsWith('/') || segments.length === 0 || !decent ? undefined : segments;
};

/** The content of a file that a request sends. Only files of the directory can be sent, and no links out of it. */
export const readBodyFile = async (root: string, src: string): Promise<Uint8Array> => {
  const segments = segmentsOf(src);
  if (segments === undefined) throw refusal(src);
  const path = join(root, ...segments);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => {
    throw refusal(src);
  });
  try {
    const inside = await realpath(root);
    const stats = await file.stat();
    if (!(await realpath(path)).startsWith(inside + sep) || !stats.isFile()) throw refusal(src);
    if (stats.size > MAX_BYTES) {
      throw new CollectionError('SIZE_LIMIT', `The file ${src} has more than ${MAX_BYTES} bytes.`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
};

const refusal = (src: string): CollectionError =>
  new CollectionError('BODY_FILE_INVALID', `The file "${src}" of the body is not in the directory of the collections.`);
