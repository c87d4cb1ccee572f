import type { ConnectionSharing, Server } from '@plugboard/contract';
import type { ClientFacts, ClientSession } from '../call/mcp-call.js';
import { profileOf } from './capability-profile.js';
import { type LinkIdentity, SHARED } from './link-identity.js';
import type { IdleLink } from './idle/idlest-link.js';
import type { ServerFacts } from './server-facts.js';
import type { UpstreamLink } from './upstream-link.js';

export interface LinkUser {
  readonly client: ClientFacts;
  readonly session: ClientSession | undefined;
  readonly plain?: LinkIdentity | undefined;
}

/** Servers of the modern era keep nothing between requests; of the others, those that give out sessions may. */
const sharingOf = (server: Server, facts: ServerFacts): ConnectionSharing =>
  server.config.sharing ?? (facts.era === 'legacy' && facts.hasSessions ? 'per-client' : 'shared');

const ofSession = (session: ClientSession): LinkIdentity => ({
  key: `session ${session.id}`,
  capabilities: session.client.capabilities,
  clientInfo: session.client.clientInfo,
  session,
});

/** A legacy server learns the client's capabilities once, so only clients with the same ones can share. */
const ofProfile = (prefix: string, client: ClientFacts): LinkIdentity => {
  const { key, capabilities } = profileOf(client.capabilities);
  if (key === '' && prefix === '') return SHARED;
  return { key: `${prefix}with ${key}`, capabilities };
};

/** `plain`: what requests outside a session use, which says whose variables and login the connection is made with. */
const within = (identity: LinkIdentity, plain: LinkIdentity): LinkIdentity =>
  plain.key === '' ? identity : { ...identity, ...plain, key: `${plain.key}${identity.key}` };

/** Beside a modern connection, a legacy one has a name of its own and is opened in no other era. */
const inEra = (identity: LinkIdentity, { era, pinned }: ServerFacts): LinkIdentity =>
  pinned ? { ...identity, key: `${era} ${identity.key}`, era } : identity;

/** Which connection a request of this client uses. Requests outside a session have no state to lose, so they share. */
export const identityFor = (
  server: Server,
  facts: ServerFacts,
  { client, session, plain = SHARED }: LinkUser,
): LinkIdentity => {
  const sharing = sharingOf(server, facts);
  const prefix = sharing === 'per-agent' ? `agent ${client.caller.agent ?? client.caller.principal} ` : '';
  if (facts.era === 'modern') return within(prefix === '' ? SHARED : { key: prefix }, plain);
  const own = sharing === 'per-client' && session !== undefined ? ofSession(session) : ofProfile(prefix, client);
  return within(inEra(own, facts), plain);
};

/** A server that gives each client a process needs this one for its lists only. */
const readsLists = ({ facts, identity, server }: UpstreamLink): boolean =>
  identity.session === undefined && facts?.era === 'legacy' && sharingOf(server, facts) === 'per-client';

/** Which idle processes are closed first. Undefined while somebody uses the process, or waits for news from it. */
export const evictionRank = (link: UpstreamLink): IdleLink['rank'] | undefined => {
  if (link.users > 0 || link.resources.size > 0 || link.client.protocol?.transport !== 'stdio') return undefined;
  return readsLists(link) ? 0 : 1;
};
