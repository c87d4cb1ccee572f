import { skeleton } from './confusables.js';

/** A name that stands for something that must not be mistaken for another. */
export interface Named {
  readonly name: string;
  readonly owner: string;
}

export type Likeness = 'same-look' | 'one-edit';

export interface LookAlike {
  readonly a: Named;
  readonly b: Named;
  readonly likeness: Likeness;
}

const SHORTEST_FOR_EDIT = 7;
/** Longer names are compared as a whole only: the cost grows with the square of their length. */
const LONGEST_FOR_EDIT = 128;
/** Of names that all look alike, each is compared with so many. */
const MAX_COMPARED = 50;

const deletions = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, index) => text.slice(0, index) + text.slice(index + 1));

const isOneEdit = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = long.length === short.length ? short.slice(start + 1) : short.slice(start);
  return rest === long.slice(start + 1);
};

// numbered and plural siblings are meant to be alike
const isSibling = (a: string, b: string): boolean => {
  const stem = (text: string): string => text.replace(/(?:(?<!\d)\d+|e?s)$/u, '');
  return stem(a) === stem(b) || a.replaceAll(/\d+/gu, '') === b.replaceAll(/\d+/gu, '');
};

/**
 * Pairs of different names that look alike, found by what remains after one letter is taken away, so that the cost
 * grows with the number of names and not with its square.
 */
export const lookAlikes = (names: readonly Named[]): readonly LookAlike[] => {
  const pairs = new Map<string, LookAlike>();
  const buckets = new Map<string, (Named & { readonly look: string })[]>();
  for (const named of names) {
    const look = skeleton(named.name);
    const isEdited = look.length >= SHORTEST_FOR_EDIT && look.length <= LONGEST_FOR_EDIT;
    const keys = isEdited ? [look, ...deletions(look)] : [look];
    for (const key of new Set(keys)) {
      const bucket = buckets.get(key) ?? [];
      for (const other of bucket) {
        const likeness = judge(named.name, other.name, look, other.look);
        if (likeness !== undefined) {
          pairs.set(JSON.stringify([other.owner, other.name, named.owner, named.name]), {
            a: other,
            b: named,
            likeness,
          });
        }
      }
      if (bucket.length < MAX_COMPARED) bucket.push({ ...named, look });
      buckets.set(key, bucket);
    }
  }
  return [...pairs.values()];
};

const judge = (a: string, b: string, lookA: string, lookB: string): Likeness | undefined => {
  if (a === b) return undefined;
  if (lookA === lookB) return 'same-look';
  return isOneEdit(lookA, lookB) && !isSibling(a, b) ? 'one-edit' : undefined;
};

const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** How many words two texts share, of all that they have: 1 for the same words, 0 for none in common. */
export const jaccard = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
};

export const wordsOf = words;
