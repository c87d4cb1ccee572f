import { withDeadline } from '@plugboard/base';
import { PlugboardError, toPlugboardError, type Server } from '@plugboard/contract';
import type { Log } from '../port/log.js';
import type { ServerReach } from '../port/server-reach.js';

const RELEASE_DEADLINE_MS = 5000;

const tooSlow = (): PlugboardError =>
  new PlugboardError('UPSTREAM_TIMEOUT', 'The connections of a server were not closed in time.');

/** Closes what is open to a server. The change that made it necessary is stored already, so failing is only logged. */
export const releaseServer = async (
  { reach, log }: { readonly reach: Pick<ServerReach, 'release'>; readonly log: Log },
  server: Server,
): Promise<void> => {
  try {
    await withDeadline({ ms: RELEASE_DEADLINE_MS, expired: tooSlow }, () => reach.release(server.id));
  } catch (thrown) {
    const { code, message } = toPlugboardError(thrown);
    const fields = { server_id: server.id, server: server.server_name, code, reason: message };
    log.warn('The connections of a server could not be closed.', fields);
  }
};
