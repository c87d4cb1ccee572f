import type { JsonObject } from '../../connection/json.js';
import { HttpSession } from '../../session/http-session.js';
import type { Session } from '../../session/session.js';

/**
 * Makes messages that belong to no request arrive: over Streamable HTTP the legacy era has a stream of its own for them,
 * which a server may refuse.
 */
export const listenAside = async (session: Session): Promise<void> => {
  if (session instanceof HttpSession && session.era === 'legacy') await session.openStream().catch(() => undefined);
};

/** The notifications of one kind among these messages. */
export const notices = (messages: readonly JsonObject[], method: string): readonly JsonObject[] =>
  messages.filter((message) => message['method'] === method && !('id' in message));
