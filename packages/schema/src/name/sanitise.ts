/** What every provider accepts as the name of a tool. */
export const MAX_NAME_LENGTH = 64;

/** Characters that separate words in names of tools, and therefore become `_` like whitespace. */
const SEPARATORS = /[\s./:]+/gu;
const FORBIDDEN = /[^a-zA-Z0-9_-]/gu;

/** The text with only `[a-zA-Z0-9_-]`: separators become `_`, the rest is dropped. May be empty, may be long. */
export const sanitise = (text: string): string => text.trim().replaceAll(SEPARATORS, '_').replaceAll(FORBIDDEN, '');
