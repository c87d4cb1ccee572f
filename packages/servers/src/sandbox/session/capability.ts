import { randomBytes } from 'node:crypto';

const BYTES = 18;

/** An id that works like a key: nobody finds it by trying. */
export const newCapability = (prefix: 'ses' | 'file'): string =>
  `${prefix}_${randomBytes(BYTES).toString('base64url')}`;
