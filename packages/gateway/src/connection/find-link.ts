import type { Server } from '@plugboard/contract';
import { identityFor, type LinkUser } from './sharing-rule.js';
import type { UpstreamLink } from './upstream-link.js';
import type { UpstreamPool } from './upstream-pool.js';

/** The connection that a legacy client has to the legacy side of a server, if it has one already. */
export const findLegacyLink = (
  pool: UpstreamPool,
  server: Server,
  { client, session }: Pick<LinkUser, 'client' | 'session'>,
): UpstreamLink | undefined => {
  const facts = pool.meet(server.id, { client, session });
  if (facts?.era !== 'legacy') return undefined;
  const plain = pool.plainIdentity(server, client.caller);
  return pool.find(server.id, identityFor(server, facts, { client, session, plain }).key);
};
