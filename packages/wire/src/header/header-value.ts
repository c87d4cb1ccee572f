const PREFIX = '=?base64?';
const SUFFIX = '?=';
const PLAIN = /^[\t\u0020-\u007E]*$/u;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

const looksEncoded = (value: string): boolean =>
  value.length >= PREFIX.length + SUFFIX.length && value.startsWith(PREFIX) && value.endsWith(SUFFIX);

const isPlain = (value: string): boolean => PLAIN.test(value) && value === value.trim() && !looksEncoded(value);

/** A value as an HTTP field value: plain where that is safe, otherwise its UTF-8 bytes in the base64 sentinel. */
export const encodeHeaderValue = (value: string): string =>
  isPlain(value) ? value : `${PREFIX}${Buffer.from(value, 'utf8').toString('base64')}${SUFFIX}`;

/** The value behind a field value; undefined when it claims to be encoded and is not. */
export const decodeHeaderValue = (value: string): string | undefined => {
  if (!looksEncoded(value)) return value;
  const inner = value.slice(PREFIX.length, -SUFFIX.length);
  if (!BASE64.test(inner)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(inner, 'base64'));
  } catch {
    return undefined;
  }
};
