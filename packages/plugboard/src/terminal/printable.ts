import { STYLE_SEQUENCES } from './style.js';

// Controls, and the invisible characters that reorder or hide text.
const UNSAFE = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu;
const UNSAFE_IN_BLOCK = /(?![\n\t])[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]/gu;

const escape = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;

/** A line whose spaces have a meaning, such as columns. */
export const printableColumns = (text: string): string =>
  text.replaceAll(/[\n\r\t]+/gu, ' ').replaceAll(UNSAFE, escape);

/** Text of a server on one line of a terminal: it cannot move the cursor, colour, hide or reorder anything. */
export const printableLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim().replaceAll(UNSAFE, escape);

/** The same for text of several lines. */
export const printableBlock = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(UNSAFE_IN_BLOCK, escape);

const BETWEEN_STYLES = new RegExp(`(${STYLE_SEQUENCES.source})`, 'u');

/** What a terminal may get: text, line breaks, tabs, and the sequences of our own styles. */
export const terminalSafe = (text: string): string =>
  text
    .split(BETWEEN_STYLES)
    .map((part, index) => (index % 2 === 1 ? part : printableBlock(part)))
    .join('');

const HIDDEN_IN_JSON = /[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

const jsonEscape = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');

/** The same JSON value, with every character escaped that a terminal acts on or hides. */
export const printableJson = (json: string): string => json.replaceAll(HIDDEN_IN_JSON, jsonEscape);
