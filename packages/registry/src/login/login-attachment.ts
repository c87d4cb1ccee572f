import { agentId, HUB_LOGIN, type HubEvent, type ServerId } from '@plugboard/contract';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { EventFeed } from '../event/event-feed.js';
import { isoTime, type Clock } from '../port/clock.js';
import type { ServerReach } from '../port/server-reach.js';
import type { OneSyncOptions, Syncs } from '../sync/syncs.js';
import type { LoginAttachment } from './server-logins.js';

export interface AttachmentParts {
  readonly catalogue: Catalogue;
  readonly syncs: Pick<Syncs, 'inBackground'>;
  readonly events: Pick<EventFeed, 'emit'>;
  readonly clock: Clock;
  readonly reach: Pick<ServerReach, 'releaseLogin'>;
}

/** The tools are read with the login that was made: there need not be another. */
const behalfOf = (holder: string): Pick<OneSyncOptions, 'agent' | 'user'> => {
  if (holder === HUB_LOGIN) return {};
  const agent = agentId.safeParse(holder).data;
  return { ...(agent === undefined ? {} : { agent }), user: { principal: holder, ownLogin: holder } };
};

/** What logins mean to the registry: the tools of a server can be read again, and listeners hear of it. */
export const loginAttachment = ({ catalogue, syncs, events, clock, reach }: AttachmentParts): LoginAttachment => {
  const isSynced = (id: ServerId): boolean => catalogue.get(id)?.stored.server.last_sync?.status === 'ok';
  const nameOf = (id: ServerId): string | undefined => catalogue.get(id)?.stored.server.server_name;
  const tell = (id: ServerId, event: (facts: { at: string; server_id: ServerId; server_name: string }) => HubEvent) => {
    const name = nameOf(id);
    if (name !== undefined) events.emit(event({ at: isoTime(clock.now()), server_id: id, server_name: name }));
  };
  return {
    isRegistered: (id) => catalogue.get(id) !== undefined,
    onAuthorized: (id, holder) => {
      tell(id, (facts) => ({ event: 'oauth_authorized', ...facts }));
      void reach.releaseLogin?.(id, holder);
      // What one of many may see does not replace what is known already.
      if (holder === HUB_LOGIN || !isSynced(id)) syncs.inBackground([id], behalfOf(holder));
    },
    onRenewed: (id) => tell(id, (facts) => ({ event: 'oauth_refreshed', ...facts })),
    onLoginNeeded: (id, reason) => tell(id, (facts) => ({ event: 'oauth_required', ...facts, reason })),
    onLoggedOut: (id, holder) => {
      tell(id, (facts) => ({ event: 'oauth_revoked', ...facts }));
      void reach.releaseLogin?.(id, holder);
    },
  };
};
