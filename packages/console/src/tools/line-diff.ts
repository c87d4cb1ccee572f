export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** More comparisons than this take longer than a person waits: then all lines count as replaced. */
const MAX_COMPARISONS = 1_000_000;

const lines = (sign: DiffLine['sign'], texts: readonly string[]): readonly DiffLine[] =>
  texts.map((text) => ({ sign, text }));

const common = (before: readonly string[], after: readonly string[]): number => {
  let count = 0;
  while (count < before.length && count < after.length && before[count] === after[count]) count += 1;
  return count;
};

/** For each pair of positions, how many lines the rests have in common, in order. */
const commonRests = (before: readonly string[], after: readonly string[]): readonly Uint32Array[] => {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    const row = table[left];
    const below = table[left + 1];
    if (row === undefined || below === undefined) continue;
    for (let right = after.length - 1; right >= 0; right -= 1) {
      row[right] =
        before[left] === after[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return table;
};

const changed = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  if (before.length * after.length > MAX_COMPARISONS) return [...lines('-', before), ...lines('+', after)];
  const table = commonRests(before, after);
  const found: DiffLine[] = [];
  let left = 0;
  let right = 0;
  while (left < before.length && right < after.length) {
    const [old = '', next = ''] = [before[left], after[right]];
    if (old === next) {
      found.push({ sign: ' ', text: old });
      left += 1;
      right += 1;
    } else if ((table[left + 1]?.[right] ?? 0) >= (table[left]?.[right + 1] ?? 0)) {
      found.push({ sign: '-', text: old });
      left += 1;
    } else {
      found.push({ sign: '+', text: next });
      right += 1;
    }
  }
  return [...found, ...lines('-', before.slice(left)), ...lines('+', after.slice(right))];
};

/** What became of the lines of a text. */
export const diffOfLines = (before: string, after: string): readonly DiffLine[] => {
  const [old, next] = [before.split('\n'), after.split('\n')];
  const start = common(old, next);
  const end = common(old.slice(start).toReversed(), next.slice(start).toReversed());
  return [
    ...lines(' ', old.slice(0, start)),
    ...changed(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...lines(' ', old.slice(old.length - end)),
  ];
};
