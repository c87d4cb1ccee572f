import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DocumentError } from '../document-error.js';
import type { AllowedDirectories } from './allowed-directories.js';
import type { LoadedSource } from './loaded-source.js';
import { pathRefused } from './path-form.js';

// Without blocking: a pipe that nobody writes to must not hold us.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a document from an allowed directory, and makes sure that what was opened is what was allowed. */
export const readFileSource = async (
  path: string,
  directories: AllowedDirectories,
  maxBytes: number,
): Promise<LoadedSource> => {
  const real = await directories.locate(path);
  const file = await open(real, FLAGS).catch((error: unknown) => {
    throw unreadable(error);
  });
  try {
    const opened = await file.stat();
    if (!opened.isFile()) throw new DocumentError('NOT_FOUND', 'The path is not a file.');
    // Between the look and the opening, a directory on the way may have become a link.
    const again = await stat(await directories.locate(path));
    if (again.ino !== opened.ino || again.dev !== opened.dev) throw pathRefused('it changed while it was opened');
    if (opened.size > maxBytes) throw new DocumentError('TOO_LARGE', `The document is larger than ${maxBytes} bytes.`);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(opened.size), position: 0 });
    return { bytes: new Uint8Array(buffer.subarray(0, bytesRead)), hints: { fileName: basename(real) } };
  } finally {
    await file.close();
  }
};

const unreadable = (error: unknown): DocumentError => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ELOOP') return pathRefused('it is a link');
  if (code === 'ENOENT') {
    return new DocumentError('NOT_FOUND', 'The document does not exist in the allowed directories.');
  }
  return new DocumentError('NOT_FOUND', 'The document cannot be opened.');
};
