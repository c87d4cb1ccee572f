import { revealed, type Secret, TEMPLATE_REFERENCE } from '@plugboard/contract';

/** Finds the value of a name; undefined when there is none. An empty string is a value. */
export type VariableLookup = (name: string) => string | Secret | undefined;

export interface ResolvedText {
  readonly text: string;
  /** Names without a value, each once; when there is any, `text` must not be used. */
  readonly missing: readonly string[];
}

/** Puts values in the place of references, in one pass: a value that looks like a reference stays as it is. */
export const resolveTemplate = (text: string, lookup: VariableLookup): ResolvedText => {
  const missing = new Set<string>();
  const resolved = text.replaceAll(TEMPLATE_REFERENCE, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { name?: string; fallback?: string; plain?: string };
    const name = groups.name ?? groups.plain ?? '';
    const value = lookup(name) ?? groups.fallback?.trim();
    if (value === undefined) missing.add(name);
    return value === undefined ? whole : revealed(value);
  });
  return { text: resolved, missing: [...missing] };
};
