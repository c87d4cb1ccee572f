import { sameConfig, type Server } from '@plugboard/contract';
import type { LinkIdentity } from './link-identity.js';
import type { UpstreamLink } from './upstream-link.js';

const declaresNothing = ({ capabilities }: LinkIdentity): boolean => Object.keys(capabilities ?? {}).length === 0;

/**
 * May the process that read the lists become the one of this client? Only while it holds no state: nobody called anything
 * in it. A legacy server learns what the client can do once, so the client must not be able to do more than the hub said.
 */
export const canBeAdopted = (link: UpstreamLink, server: Server, identity: LinkIdentity): boolean =>
  identity.session !== undefined &&
  identity.era === undefined &&
  declaresNothing(identity) &&
  !link.hasServed &&
  !link.isKept &&
  link.users === 0 &&
  sameConfig(link.server.config, server.config) &&
  link.identity.session === undefined &&
  link.client.protocol?.transport === 'stdio' &&
  link.client.protocol.era === 'legacy';
