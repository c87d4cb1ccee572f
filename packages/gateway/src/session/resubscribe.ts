import { setTimeout as wait } from 'node:timers/promises';
import { buildNotification, buildRequest } from '@plugboard/wire';
import type { AnswerParts } from './answer-call.js';
import { legacyCall } from './legacy-call.js';
import type { LegacySession } from './legacy-session.js';

export interface ResubscribeParts extends Pick<AnswerParts, 'pipeline'> {
  readonly stopping: AbortSignal;
}

/** How long one server may take. */
const ATTEMPT_MS = 30_000;
/** A server may be away for a while after its hub was. */
const PAUSES_MS = [1000, 4000, 15_000, 60_000];

const subscribe = async ({ pipeline, stopping }: ResubscribeParts, session: LegacySession, uri: string) => {
  const { scope, client, channel } = session;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ATTEMPT_MS)]);
  const request = buildRequest('resubscribe', 'resources/subscribe', { uri });
  await pipeline(legacyCall(request, { scope, client, session, reply: channel, signal }));
};

const restore = async (parts: ResubscribeParts, session: LegacySession, uri: string): Promise<void> => {
  for (const pause of [...PAUSES_MS, undefined]) {
    if (session.ended || !session.subscriptions.includes(uri)) return;
    try {
      await subscribe(parts, session, uri);
      // What happened to the resource while nobody listened is not known.
      session.channel.notify(buildNotification('notifications/resources/updated', { uri }));
      return;
    } catch {
      if (pause === undefined) return;
      await wait(pause, undefined, { ref: false, signal: parts.stopping });
    }
  }
};

/** Subscribes a session that is continued to what it was subscribed to, with the rights that its client has now. */
export const resubscribe = async (
  parts: ResubscribeParts,
  session: LegacySession,
  uris: readonly string[],
): Promise<void> => {
  await Promise.allSettled(uris.map((uri) => restore(parts, session, uri)));
};
