import { locateJsonError } from './locate-json-error.js';

export type JsoncResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly why: string };

// A string, a comment, or a comma with nothing but space and comments before the closing bracket.
const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*[}\]])/gu;

const blank = (text: string): string => text.replaceAll(/[^\n\r]/gu, ' ');

const explain = (text: string): { readonly line: number; readonly why: string } => {
  const at = locateJsonError(text);
  const line = text.slice(0, at).split('\n').length;
  return { line, why: at >= text.trimEnd().length ? 'the JSON ends too early' : 'this is not JSON' };
};

/** The same text as plain JSON: comments, trailing commas and a byte order mark become spaces, positions are kept. */
export const plainJson = (text: string): string =>
  text.replace(/^\uFEFF/u, ' ').replaceAll(TOKEN, (token) => (token.startsWith('"') ? token : blank(token)));

/** JSON as editors let people write it: with comments, trailing commas and a byte order mark. */
export const parseJsonc = (text: string): JsoncResult => {
  const plain = plainJson(text);
  try {
    return { ok: true, value: JSON.parse(plain) as unknown };
  } catch {
    return { ok: false, ...explain(plain) };
  }
};
