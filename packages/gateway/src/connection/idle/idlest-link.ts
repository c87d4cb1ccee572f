/** A connection that can be closed to make room. */
export interface IdleLink {
  /** 0: it only reads lists. 1: somebody may come back to it. */
  readonly rank: 0 | 1;
  /** Since when nobody uses it, on the clock of performance.now(). */
  readonly since: number;
  readonly evict: () => Promise<void>;
}

/** The idle connection that is needed least: the lowest rank first, then the one unused for longest. */
export const idlest = <L extends { readonly usedAt: number }>(
  links: Iterable<L>,
  rankOf: (link: L) => IdleLink['rank'] | undefined,
  close: (link: L) => Promise<void>,
): IdleLink | undefined => {
  let best: { readonly link: L; readonly rank: IdleLink['rank'] } | undefined;
  for (const link of links) {
    const rank = rankOf(link);
    if (rank === undefined) continue;
    const isBetter = best === undefined || rank < best.rank || (rank === best.rank && link.usedAt < best.link.usedAt);
    if (isBetter) best = { link, rank };
  }
  if (best === undefined) return undefined;
  const { link, rank } = best;
  return { rank, since: link.usedAt, evict: () => close(link) };
};
