import type { JsonObject } from '../../connection/json.js';
import { HttpSession } from '../../session/http-session.js';
import type { Session } from '../../session/session.js';

/** Legacy servers send messages that belong to no request on a GET stream, which they may reject. */
export const openListeningStream = async (session: Session): Promise<void> => {
  if (session instanceof HttpSession && session.era === 'legacy') await session.openStream().catch(() => undefined);
};

/** The notifications of one kind among these messages. */
export const notificationsOf = (messages: readonly JsonObject[], method: string): readonly JsonObject[] =>
  messages.filter((message) => message['method'] === method && !('id' in message));
