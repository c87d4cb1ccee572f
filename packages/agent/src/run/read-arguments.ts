import { isJsonObject, tryJson } from '@plugboard/base';
import { openJson } from './open-json.js';

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
