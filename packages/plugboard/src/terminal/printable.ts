import { STYLE_SEQUENCES } from './style.js';

// Controls, and every character that is not seen: it could reorder text, or hide more. A variation selector is left where
// it belongs, behind an emoji.
const UNSAFE =
  /(?<!\p{Extended_Pictographic})\uFE0F|(?!\uFE0F)[\u0000-\u001F\u007F-\u009F\u2028\u2029\u2800\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}]/gu;
// Text of several lines may hold the joiners that scripts and emoji need.
const UNSAFE_IN_BLOCK =
  /(?![\n\t])[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u206F\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

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

// A line that a CI system takes for a command: `::set-output …::` at its beginning (GitHub), `##[…]` and `##vso[…]` anywhere in it
// (GitHub, Azure). The text of a judged server must not set outputs or write annotations of the job.
const LINE_COMMAND = /^([^\S\n\r\u2028\u2029]*):(?=:[a-z])/gimu;
const COMMAND = /#(?=#(?:vso)?\[)/giu;

const inert = (text: string): string => text.replaceAll(LINE_COMMAND, '$1: ').replaceAll(COMMAND, '# ');

const BETWEEN_STYLES = new RegExp(`(${STYLE_SEQUENCES.source})`, 'u');

/** What a terminal or the log of a CI job may get: text, line breaks, tabs, and the sequences of our own styles. */
export const terminalSafe = (text: string): string =>
  text
    .split(BETWEEN_STYLES)
    .map((part, index) => (index % 2 === 1 ? part : inert(printableBlock(part))))
    .join('');

const HIDDEN_IN_JSON = /(?!\uFE0F)[\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}]/gu;

const jsonEscape = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');

/** The same JSON value, with every character escaped that a terminal or a CI system acts on or hides. */
export const printableJson = (json: string): string =>
  json.replaceAll(HIDDEN_IN_JSON, jsonEscape).replaceAll(COMMAND, jsonEscape);
