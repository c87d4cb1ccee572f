const ALPHABET = /^[A-Za-z0-9+/]*$/u;

/** The text as official clients decode it: white space does not count, and padding may be missing. */
const isDecodable = (text: string): boolean => {
  const packed = /\s/u.test(text) ? text.replaceAll(/[\t\n\f\r ]/gu, '') : text;
  const bare = packed.length % 4 === 0 ? packed.replace(/={1,2}$/u, '') : packed;
  return bare.length % 4 !== 1 && ALPHABET.test(bare);
};

/** Base64 that clients accept; also where the server wrote it in the alphabet for URLs. Undefined for anything else. */
export const base64 = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  if (isDecodable(value)) return value;
  const plain = value.replaceAll('-', '+').replaceAll('_', '/');
  return isDecodable(plain) ? plain : undefined;
};
