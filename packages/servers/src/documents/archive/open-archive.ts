import { unzipSync } from 'fflate';
import { DocumentError } from '../document-error.js';
import type { Limits } from '../limits.js';

/** The parts of an archive by name, unpacked within limits. */
export type Archive = ReadonlyMap<string, Uint8Array>;

const SUSPICIOUS_RATIO = 1000;
const HARMLESS_BYTES = 1024 * 1024;

const refused = (why: string): DocumentError =>
  new DocumentError(
    'ARCHIVE_REFUSED',
    `The archive is refused: ${why}.`,
    'Save the document again with the program that created it.',
  );

/** Names that leave the archive, or that two programs would understand differently. */
const leavesArchive = (name: string): boolean =>
  name.startsWith('/') || /[\\\0]/u.test(name) || /^[A-Za-z]:/u.test(name) || name.split('/').includes('..');

/**
 * Unpacks what `wanted` names. Sizes are judged by what the directory declares before a byte is unpacked, and no part can
 * become larger than it declared: its buffer is made of that size.
 */
export const openArchive = (bytes: Uint8Array, limits: Limits, wanted: (name: string) => boolean): Archive => {
  const seen = new Set<string>();
  let total = 0;
  const filter = ({ name, size, originalSize }: { name: string; size: number; originalSize: number }): boolean => {
    if (leavesArchive(name)) throw refused('a name in it leads outside');
    if (seen.has(name)) throw refused('a name in it appears twice');
    seen.add(name);
    total += originalSize;
    if (seen.size > limits.archiveEntries) throw refused(`it has more than ${limits.archiveEntries} parts`);
    if (total > limits.archiveBytes) throw refused('unpacked it would be too large');
    if (originalSize > HARMLESS_BYTES && originalSize > size * SUSPICIOUS_RATIO) {
      throw refused('a part of it is packed too tightly to be honest');
    }
    return wanted(name);
  };
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter })));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('DAMAGED', 'The archive is damaged.');
  }
};
