type NameOf<Each> = (each: Each) => string;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** A list ordered by name. */
export const inOrder = <Each>(list: readonly Each[], nameOf: NameOf<Each>): readonly Each[] =>
  [...list].sort((one, other) => compare(nameOf(one), nameOf(other)));

/** Where the entry of that name is in an ordered list; -1 when there is none. */
export const positionOf = <Each>(ordered: readonly Each[], nameOf: NameOf<Each>, name: string): number => {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (nameOf(ordered[middle] as Each) < name) low = middle + 1;
    else high = middle;
  }
  const found = ordered[low];
  return found !== undefined && nameOf(found) === name ? low : -1;
};

/** Two ordered lists as one. Nothing is compared twice, so that few can join many. */
export const mergeOrdered = <Each>(
  many: readonly Each[],
  few: readonly Each[],
  nameOf: NameOf<Each>,
): readonly Each[] => {
  if (few.length === 0) return many;
  const merged: Each[] = [];
  let at = 0;
  for (const next of few) {
    const name = nameOf(next);
    for (let each = many[at]; each !== undefined && nameOf(each) < name; each = many[at]) {
      merged.push(each);
      at += 1;
    }
    merged.push(next);
  }
  for (; at < many.length; at += 1) merged.push(many[at] as Each);
  return merged;
};
