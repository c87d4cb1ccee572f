// The loop over the bytes of a string as WebAssembly: it looks at 16 bytes at once, which JavaScript cannot.

/** What each byte after a backslash makes of it: the length of the escape, 0 where there is none. 256 bytes. */
export const ESCAPES_AT = 0;
/** Marks hexadecimal digits. 256 bytes. */
export const HEX_AT = 256;
/** Where the bytes to look at begin. */
export const WINDOW_AT = 512;
/** How many may be looked at in one go. */
export const WINDOW_BYTES = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
/** The longest escape. */
const ESCAPE_BYTES = 6;

const I32 = 0x7f;
const V128 = 0x7b;
const NOTHING = 0x40;

// Parameters and variables of the function.
const AT = 0;
const END = 1;
const MARKS = 2;
const BYTE = 3;
const MARKED = 4;
const QUOTES = 5;
const BACKSLASHES = 6;
const PRINTABLE = 7;

type Code = readonly number[];

const unsigned = (value: number): Code => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]);

const signed = (value: number): Code =>
  value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];

const get = (variable: number): Code => [0x20, variable];
const set = (variable: number, ...value: Code): Code => [...value, 0x21, variable];
const number = (value: number): Code => [0x41, ...signed(value)];
const add = (one: Code, other: Code): Code => [...one, ...other, 0x6a];
const subtract = (one: Code, other: Code): Code => [...one, ...other, 0x6b];
const and = (one: Code, other: Code): Code => [...one, ...other, 0x71];
const equal = (one: Code, other: Code): Code => [...one, ...other, 0x46];
const isBelow = (one: Code, other: Code): Code => [...one, ...other, 0x49];
const isAbove = (one: Code, other: Code): Code => [...one, ...other, 0x4b];
const isZero = (value: Code): Code => [...value, 0x45];
const isSame = (one: Code, other: Code): Code => [...one, ...other, 0xfd, 0x23];
const either = (one: Code, other: Code): Code => [...one, ...other, 0xfd, 0x50];
const when = (condition: Code, ...then: Code): Code => [...condition, 0x04, NOTHING, ...then, 0x0b];
const loop = (...content: Code): Code => [0x03, NOTHING, ...content, 0x0b];
const giveBack = (value: Code): Code => [...value, 0x0f];
const byteAt = (address: Code, offset = 0): Code => [...address, 0x2d, 0x00, ...unsigned(offset)];
const bytesAt = (address: Code): Code => [...address, 0xfd, 0x00, 0x00, 0x00];
const everywhere = (byte: number): Code => [...number(byte), 0xfd, 0x0f];

/** Continues with a loop: `depth` counts what is around, conditions and loops, up to it. */
const again = (depth: number): Code => [0x0c, depth];

const NO_STRING = giveBack(number(-1));
/** Where to continue when there are more bytes, in a number below -1. */
const cutAt = (position: Code): Code => giveBack(subtract(number(-2), position));

const hexDigit = (offset: number): Code => byteAt(byteAt(get(MARKED), offset), HEX_AT);

const BODY: Code = [
  ...set(QUOTES, ...everywhere(QUOTE)),
  ...set(BACKSLASHES, ...everywhere(BACKSLASH)),
  ...set(PRINTABLE, ...everywhere(FIRST_PRINTABLE)),
  ...loop(
    ...when(isZero(isBelow(get(AT), get(END))), ...cutAt(get(END))),
    // A bit for each of the next 16 bytes: is it a quote, a backslash or a control character?
    ...set(
      MARKS,
      ...either(either(isSame(bytesAt(get(AT)), get(QUOTES)), isSame(bytesAt(get(AT)), get(BACKSLASHES))), [
        ...bytesAt(get(AT)),
        ...get(PRINTABLE),
        0xfd,
        0x26,
      ]),
      0xfd,
      0x64,
    ),
    ...loop(
      ...when(isZero(get(MARKS)), ...set(AT, ...add(get(AT), number(16))), ...again(2)),
      ...set(MARKED, ...add(get(AT), [...get(MARKS), 0x68])),
      ...when(isZero(isBelow(get(MARKED), get(END))), ...cutAt(get(END))),
      ...set(BYTE, ...byteAt(get(MARKED))),
      ...when(equal(get(BYTE), number(QUOTE)), ...giveBack(add(get(MARKED), number(1)))),
      ...when(isBelow(get(BYTE), number(FIRST_PRINTABLE)), ...NO_STRING),
      ...when(isAbove(add(get(MARKED), number(ESCAPE_BYTES)), get(END)), ...cutAt(get(MARKED))),
      ...set(BYTE, ...byteAt(byteAt(get(MARKED), 1), ESCAPES_AT)),
      ...when(isZero(get(BYTE)), ...NO_STRING),
      ...when(
        equal(get(BYTE), number(ESCAPE_BYTES)),
        ...when(isZero(and(and(hexDigit(2), hexDigit(3)), and(hexDigit(4), hexDigit(5)))), ...NO_STRING),
      ),
      // Where it goes on, counted from the first of the 16.
      ...set(BYTE, ...subtract(add(get(MARKED), get(BYTE)), get(AT))),
      ...when(isAbove(get(BYTE), number(15)), ...set(AT, ...add(get(AT), get(BYTE))), ...again(2)),
      ...set(MARKS, ...and(get(MARKS), [...number(-1), ...get(BYTE), 0x74])),
      ...again(0),
    ),
  ),
  // Never reached: the loops are left only with a result.
  0x00,
  0x0b,
];

/** The beginning of every module: its mark and the version of the format. */
const MAGIC: Code = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];

const withLength = (content: Code): Code => [...unsigned(content.length), ...content];

/**
 * A module with its memory `m` and the function `f`, which gets the position in a string and the end of the bytes, both in the
 * memory. It returns the position after the string; -1 when it is none; -2 minus the position to go on from when it does
 * not end there. Up to 15 bytes behind the end are read, and not heeded.
 */
export const vectorCode = (): Uint8Array =>
  Uint8Array.from([
    ...MAGIC,
    ...section(1, [1, 0x60, 2, I32, I32, 1, I32]),
    ...section(3, [1, 0]),
    // Two pages of 64 KiB.
    ...section(5, [1, 1, 2, 2]),
    ...section(7, [2, 1, 0x6d, 2, 0, 1, 0x66, 0, 0]),
    ...section(10, [1, ...withLength([2, 3, I32, 3, V128, ...BODY])]),
  ]);
