import type { JsonRpcNotification } from '../json-rpc/message.js';
import type { Session } from '../state/session.js';

/** What the server does about a notification of the client. */
export const takeNotice = (message: JsonRpcNotification, session: Session | undefined): void => {
  if (session === undefined) return;
  if (message.method === 'notifications/initialized') session.initialized = true;
  if (message.method === 'notifications/cancelled') {
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') session.cancel(id);
  }
};
