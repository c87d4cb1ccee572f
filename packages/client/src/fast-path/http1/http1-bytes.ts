export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;

export const isSpace = (byte: number): boolean => byte === SPACE || byte === TAB;

const tableOf = (belongs: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (belongs(byte) ? 1 : 0));

const TOKEN_CHARACTER = /[!#$%&'*+\-.^_`|~0-9A-Za-z]/u;

/** What names consist of (RFC 9110, 5.6.2). */
export const TOKEN = tableOf((byte) => TOKEN_CHARACTER.test(String.fromCodePoint(byte)));

/** What values consist of: no control characters. */
export const TEXT = tableOf((byte) => byte === TAB || (byte >= SPACE && byte !== 0x7f));

/** Are these bytes the name, given in lower case? Only for bytes without control characters. */
export const isName = (bytes: Uint8Array, start: number, name: Uint8Array): boolean => {
  for (let index = 0; index < name.length; index += 1) {
    if (((bytes[start + index] as number) | 0x20) !== name[index]) return false;
  }
  return true;
};
