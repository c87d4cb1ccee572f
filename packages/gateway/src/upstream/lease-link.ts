import type { Server } from '@plugboard/contract';
import type { LinkIdentity } from './link-identity.js';
import type { ServerFacts } from './server-facts.js';
import { identityFor, type LinkUser } from './sharing-rule.js';
import { serveSession } from './serve-session.js';
import type { UpstreamLink } from './upstream-link.js';
import type { UpstreamPool } from './upstream-pool.js';

export interface Lease {
  readonly link: UpstreamLink;
  readonly facts: ServerFacts;
  readonly letGo: () => void;
}

const MAX_SLOTS = 8;

/**
 * On one channel for all requests, a question of the server does not say which call it is about. So a client that can be
 * asked gets a connection on which nothing else is under way, as far as there are any.
 */
const freeSlot = (pool: UpstreamPool, server: Server, identity: LinkIdentity): LinkIdentity => {
  for (let slot = 1; slot <= MAX_SLOTS; slot += 1) {
    const key = slot === 1 ? identity.key : `${identity.key} ${slot}`;
    if ((pool.find(server.id, key)?.users ?? 0) === 0) return { ...identity, key };
  }
  return identity;
};

const learn = async (
  pool: UpstreamPool,
  server: Server,
  plain: LinkIdentity,
  signal: AbortSignal,
): Promise<ServerFacts> => {
  const link = pool.link(server, plain);
  const letGo = link.hold();
  try {
    return await link.ready(signal);
  } finally {
    letGo();
  }
};

const needsOwnChannel = (facts: ServerFacts, identity: LinkIdentity): boolean =>
  facts.era === 'legacy' &&
  facts.transport !== 'streamable_http' &&
  identity.session === undefined &&
  Object.keys(identity.capabilities ?? {}).length > 0;

/** The connection for a request of this client, open and held. */
export const leaseLink = async (
  pool: UpstreamPool,
  server: Server,
  user: LinkUser,
  signal: AbortSignal,
): Promise<Lease> => {
  const plain = pool.plainIdentity(server, user.client.caller);
  const known = pool.facts(server.id) ?? (await learn(pool, server, plain, signal));
  const wanted = identityFor(server, known, { client: user.client, session: user.session, plain });
  const identity = needsOwnChannel(known, wanted) ? freeSlot(pool, server, wanted) : wanted;
  const isNew = pool.find(server.id, identity.key) === undefined;
  const link = pool.link(server, identity);
  if (isNew && identity.session !== undefined) serveSession(pool, link, identity.session);
  const letGo = link.hold();
  try {
    return { link, facts: await link.ready(signal), letGo };
  } catch (thrown) {
    letGo();
    throw thrown;
  }
};
