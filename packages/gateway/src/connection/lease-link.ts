import { anySignal } from '@plugboard/base';
import { type EraRefusal, legacyRefusal, ANY_METHOD } from '@plugboard/client';
import type { Server } from '@plugboard/contract';
import type { LinkIdentity } from './link-identity.js';
import { asLegacy } from './server-eras.js';
import type { ServerFacts } from './server-facts.js';
import { identityFor, type LinkUser } from './sharing-rule.js';
import type { UpstreamLink } from './upstream-link.js';
import type { UpstreamPool } from './upstream-pool.js';
import { askThrough } from '../call/ask-client.js';

export interface Lease {
  readonly link: UpstreamLink;
  readonly facts: ServerFacts;
  readonly letGo: () => void;
}

const MAX_SLOTS = 8;

/**
 * On a channel for all requests, or on the stream of a session, a question of the server does not say which call it is
 * about. So a client that can be asked gets a connection on which nothing else is in progress, as far as there are any.
 */
const freeSlot = (pool: UpstreamPool, server: Server, identity: LinkIdentity): LinkIdentity => {
  for (let slot = 1; slot <= MAX_SLOTS; slot += 1) {
    const key = slot === 1 ? identity.key : `${identity.key} ${slot}`;
    if ((pool.find(server.id, key)?.users ?? 0) === 0) return { ...identity, key };
  }
  return identity;
};

const needsOwnChannel = (facts: ServerFacts, identity: LinkIdentity): boolean =>
  facts.era === 'legacy' &&
  facts.hasSessions &&
  identity.session === undefined &&
  Object.keys(identity.capabilities ?? {}).length > 0;

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

/** Which connection a request of this client uses, now that it is known what the server is. */
export const channelFor = (pool: UpstreamPool, server: Server, facts: ServerFacts, user: LinkUser): LinkIdentity => {
  const wanted = identityFor(server, facts, user);
  return needsOwnChannel(facts, wanted) ? freeSlot(pool, server, wanted) : wanted;
};

/**
 * The connection that a request was sent over already: while it is in progress, its server may ask on that one, and nobody
 * else may take it for a free one. Undefined when the connection was replaced.
 */
export const leaseSentOver = (pool: UpstreamPool, { id }: Server, client: object): Lease | undefined => {
  const link = pool.linkOf(id, client);
  const facts = link?.facts;
  return link === undefined || facts === undefined ? undefined : { link, facts, letGo: link.hold() };
};

/** How long a client waits for the legacy side of a modern server before it is bridged. */
const LEGACY_TRY_MS = 10_000;

/** The process that read the server's lists, if this client can have it. */
const adopted = (pool: UpstreamPool, server: Server, identity: LinkIdentity): UpstreamLink | undefined => {
  const { session } = identity;
  return session && pool.adopt(server, pool.plainIdentity(server, session.client.caller), identity);
};

/** Opens the connection with this identity if need be. The caller must release it. */
const hold = async (
  pool: UpstreamPool,
  server: Server,
  identity: LinkIdentity,
  signal: AbortSignal,
): Promise<Lease> => {
  const isNew = pool.find(server.id, identity.key) === undefined;
  const { session } = identity;
  const link = (isNew ? adopted(pool, server, identity) : undefined) ?? pool.link(server, identity);
  if (isNew && session !== undefined) {
    // What the server asks outside any call goes to the one client of the connection.
    link.client.onRequest(ANY_METHOD, askThrough(session.channel, 'The client cannot be asked now.'));
  }
  const letGo = link.hold();
  link.noteCall();
  try {
    const facts = await link.ready(signal);
    if (isNew && session?.logLevel !== undefined && facts.era === 'legacy') {
      await link.logLevel.set(session.logLevel, signal);
    }
    return { link, facts, letGo };
  } catch (thrown) {
    letGo();
    throw thrown;
  }
};

/** Nobody needs the connection after all. */
const dropUnused = (pool: UpstreamPool, { id }: Server, { key }: LinkIdentity): void => {
  const link = pool.find(id, key);
  if (link?.users === 0) void pool.drop(link);
};

interface LegacyTry {
  readonly user: LinkUser;
  readonly wanted: LinkIdentity;
  readonly signal: AbortSignal;
}

/** What a failed try says about the legacy side; undefined: nothing, or nobody waits any more. */
const refusalIn = (thrown: unknown, signal: AbortSignal, isTooSlow: boolean): EraRefusal | undefined => {
  if (signal.aborted) return undefined;
  return legacyRefusal(thrown) ?? (isTooSlow ? 'doubtful' : undefined);
};

/**
 * The legacy side of a server that is known to be modern, for a legacy session. Undefined when it has none, or another
 * connection is the right one now that it is known.
 */
const holdLegacy = async (
  pool: UpstreamPool,
  server: Server,
  identity: LinkIdentity,
  { user, wanted, signal }: LegacyTry,
): Promise<Lease | undefined> => {
  const isKnown = pool.meet(server.id, user) !== undefined;
  const patience = AbortSignal.timeout(LEGACY_TRY_MS);
  try {
    const lease = await hold(pool, server, identity, isKnown ? signal : anySignal(signal, patience));
    const met = pool.meet(server.id, user);
    if (met !== undefined && identityFor(server, met, user).key === wanted.key) return lease;
    lease.letGo();
  } catch (thrown) {
    const isTooSlow = !isKnown && patience.aborted;
    const refusal = refusalIn(thrown, signal, isTooSlow);
    if (refusal === undefined) throw thrown;
    pool.noteRefusal(server.id, refusal);
    // One that is only slow goes on opening, and is used from then on.
    if (isTooSlow) return undefined;
  }
  dropUnused(pool, server, identity);
  return undefined;
};

/** The connection for a request of this client, open and held: to the side of the server that speaks the client's era. */
export const leaseLink = async (
  pool: UpstreamPool,
  server: Server,
  { client, session }: LinkUser,
  signal: AbortSignal,
): Promise<Lease> => {
  const plain = pool.plainIdentity(server, client.caller);
  const user = { client, session, plain };
  const known = pool.facts(server.id) ?? (await learn(pool, server, plain, signal));
  const met = pool.meet(server.id, user) ?? asLegacy(known);
  const wanted = identityFor(server, met, user);
  const identity = channelFor(pool, server, met, user);
  if (identity.era === undefined) return hold(pool, server, identity, signal);
  const lease = await holdLegacy(pool, server, identity, { user, wanted, signal });
  return lease ?? hold(pool, server, identityFor(server, pool.meet(server.id, user) ?? known, user), signal);
};
