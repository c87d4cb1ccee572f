const MAX_LENGTH = 64;

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substituted));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');

/** The name that was probably meant: spelled alike but for case and separators, or a third of its letters away. */
export const nearest = (name: string, names: readonly string[]): string | undefined => {
  if (name.length > MAX_LENGTH) return undefined;
  const ranked = names
    .filter((other) => other.length <= MAX_LENGTH)
    .slice(0, MAX_LENGTH)
    .map((other) => ({ other, away: plain(name) === plain(other) ? 0 : distance(name, other) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  return best !== undefined && best.away <= Math.max(name.length, best.other.length) / 3 ? best.other : undefined;
};
