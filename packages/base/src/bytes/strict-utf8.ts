import { isAscii, isUtf8 } from 'node:buffer';

/**
 * The text of bytes in UTF-8; undefined for bytes that are not. Far faster for large ones than a decoder that throws, and
 * again for those of ASCII, which is a copy.
 */
export const strictUtf8 = (bytes: Buffer): string | undefined => {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
};
