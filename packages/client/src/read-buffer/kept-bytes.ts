import { pageBytes } from '@plugboard/base';
import { isLent } from './lent-place.js';

/** A read of so many bytes is a part of a large message. */
export const LARGE_READ_BYTES = 32 * 1024;

/** Copies what was read, so that the place it was read into can be used again. Large reads get pages of their own. */
export const keptBytes = (read: Uint8Array): Buffer => {
  if (read.length < LARGE_READ_BYTES) return Buffer.from(read);
  const pages = pageBytes(read.length);
  pages.set(read);
  return Buffer.from(pages.buffer, 0, read.length);
};

/** The bytes themselves where nobody else will use their place. */
export const ownBytes = (read: Buffer): Buffer => (isLent(read) ? keptBytes(read) : read);
