import type { HubEvent, ServerId } from '@plugboard/contract';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { EventFeed } from '../event/event-feed.js';
import { isoTime, type Clock } from '../port/clock.js';
import type { Syncs } from '../sync/syncs.js';
import type { LoginAttachment } from './server-logins.js';

export interface AttachmentParts {
  readonly catalogue: Catalogue;
  readonly syncs: Pick<Syncs, 'inBackground'>;
  readonly events: Pick<EventFeed, 'emit'>;
  readonly clock: Clock;
}

/** What logins mean to the registry: the tools of a server can be read again, and listeners hear of it. */
export const loginAttachment = ({ catalogue, syncs, events, clock }: AttachmentParts): LoginAttachment => {
  const nameOf = (id: ServerId): string | undefined => catalogue.get(id)?.stored.server.server_name;
  const tell = (id: ServerId, event: (facts: { at: string; server_id: ServerId; server_name: string }) => HubEvent) => {
    const name = nameOf(id);
    if (name !== undefined) events.emit(event({ at: isoTime(clock.now()), server_id: id, server_name: name }));
  };
  return {
    isRegistered: (id) => catalogue.get(id) !== undefined,
    onAuthorized: (id) => {
      tell(id, (facts) => ({ event: 'oauth_authorized', ...facts }));
      syncs.inBackground([id]);
    },
    onRenewed: (id) => tell(id, (facts) => ({ event: 'oauth_refreshed', ...facts })),
    onLoginNeeded: (id, reason) => tell(id, (facts) => ({ event: 'oauth_required', ...facts, reason })),
    onLoggedOut: (id) => tell(id, (facts) => ({ event: 'oauth_revoked', ...facts })),
  };
};
