import { deadlineSignal } from '@plugboard/base';
import { buildNotification } from '@plugboard/wire';
import type { LiveSession } from './live-session.js';

const CANCEL_MS = 2_000;

/** Tells the server that the caller no longer waits, unless closing the stream says so already. */
export const tellCancelled = async (live: LiveSession, id: number | string): Promise<void> => {
  if (live.agreement.revision.era === 'modern' && live.transport.kind === 'streamable_http') return;
  using deadline = deadlineSignal(CANCEL_MS);
  const params = { requestId: id, reason: 'The caller disconnected or cancelled.' };
  await live.transport
    .send(buildNotification('notifications/cancelled', params), deadline.signal)
    .catch(() => undefined);
};
