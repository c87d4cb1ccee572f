import { isJsonObject, tryJson } from '@plugboard/base';

export type ReadArguments =
  | { readonly args: Readonly<Record<string, unknown>> }
  /** `cut-off`: the beginning of an object, as a provider leaves it at its limit of tokens. */
  | { readonly problem: 'cut-off' | 'no-object' };

export interface ReadOptions {
  /** May brackets be closed after a complete value? Arguments may be missing then. */
  readonly complete: boolean;
}

/** A string or a number at the end may have been longer: "/data/arch" is not what the model meant. */
const endsWithValue = (text: string): boolean =>
  !/\d$/u.test(text) && /(?:["\]}\d]|true|false|null)$/u.test(text.trimEnd());

/** What JSON text that ends too early leaves open. */
interface OpenJson {
  readonly inString: boolean;
  /** Closes every object and array that is open. */
  readonly closing: string;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Undefined: brackets do not match, so the text is not the beginning of JSON. */
const openJson = (text: string): OpenJson | undefined => {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (inString) {
      if (character === '\\') at += 1;
      inString = character !== '"';
      continue;
    }
    const closing = CLOSING[character];
    if (closing !== undefined) open.push(closing);
    if ((character === '}' || character === ']') && open.pop() !== character) return undefined;
    inString = character === '"';
  }
  return { inString, closing: open.reverse().join('') };
};

const readCut = (text: string, { complete }: ReadOptions): ReadArguments => {
  const open = text.trimStart().startsWith('{') ? openJson(text) : undefined;
  if (open === undefined || (!open.inString && open.closing === '')) return { problem: 'no-object' };
  if (complete && !open.inString && endsWithValue(text)) {
    const value = tryJson(text + open.closing);
    if (isJsonObject(value)) return { args: value };
  }
  return { problem: 'cut-off' };
};

/** The arguments that a model wrote. */
export const readArguments = (text: unknown, options: ReadOptions): ReadArguments => {
  if (isJsonObject(text)) return { args: text };
  if (text === undefined || text === null) return { args: {} };
  if (typeof text !== 'string') return { problem: 'no-object' };
  if (text.trim() === '') return { args: {} };
  const value = tryJson(text);
  if (value !== undefined) return isJsonObject(value) ? { args: value } : { problem: 'no-object' };
  return readCut(text, options);
};
