import { sharingOf } from './sharing-rule.js';
import type { UpstreamLink } from './upstream-link.js';

/** A connection that can be closed to make room. */
export interface IdleLink {
  /** 0: it only reads lists. 1: somebody may come back to it. */
  readonly rank: 0 | 1;
  /** Since when nobody uses it, on the clock of performance.now(). */
  readonly since: number;
  readonly evict: () => Promise<void>;
}

/** A process that nobody uses now, and that owes nobody any news. */
const isIdle = (link: UpstreamLink): boolean =>
  link.users === 0 && link.resources.size === 0 && link.client.protocol?.transport === 'stdio';

/** A server that every client has a process of its own of needs this one for its lists only. */
const readsLists = ({ facts, identity, server }: UpstreamLink): boolean =>
  identity.session === undefined && facts?.era === 'legacy' && sharingOf(server, facts) === 'per-client';

/** The idle process that can best be done without: those that only read lists first, then the one unused for longest. */
export const idlest = (
  links: Iterable<UpstreamLink>,
  close: (link: UpstreamLink) => Promise<void>,
): IdleLink | undefined => {
  let best: { readonly link: UpstreamLink; readonly rank: 0 | 1 } | undefined;
  for (const link of links) {
    if (!isIdle(link)) continue;
    const rank = readsLists(link) ? 0 : 1;
    const isBetter = best === undefined || rank < best.rank || (rank === best.rank && link.usedAt < best.link.usedAt);
    if (isBetter) best = { link, rank };
  }
  if (best === undefined) return undefined;
  const { link, rank } = best;
  return { rank, since: link.usedAt, evict: () => close(link) };
};
