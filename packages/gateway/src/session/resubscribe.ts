import { setTimeout as wait } from 'node:timers/promises';
import { anySignal, eachAtMost, linkSignals } from '@plugboard/base';
import { buildNotification, buildRequest } from '@plugboard/wire';
import type { AnswerParts } from './answer-call.js';
import { legacyCall } from './legacy-call.js';
import type { LegacySession } from './legacy-session.js';

export interface ResubscribeParts extends Pick<AnswerParts, 'pipeline'> {
  readonly stopping: AbortSignal;
}

/** How many requests of one session are in progress at a time. */
const MAX_AT_ONCE = 8;
/** How long one server may take. */
const ATTEMPT_MS = 30_000;
/** A server may be away for a while after its hub was. */
const PAUSES_MS = [0, 1000, 4000, 15_000, 60_000];

const subscribe = async (
  pipeline: ResubscribeParts['pipeline'],
  session: LegacySession,
  uri: string,
  over: AbortSignal,
): Promise<void> => {
  const { scope, client, channel } = session;
  const signal = anySignal(over, AbortSignal.timeout(ATTEMPT_MS));
  const request = buildRequest('resubscribe', 'resources/subscribe', { uri });
  await pipeline(legacyCall(request, { scope, client, session, reply: channel, signal }));
  // What happened to the resource while nobody listened is not known.
  channel.notify(buildNotification('notifications/resources/updated', { uri }));
};

/** Subscribes a session that is continued to what it was subscribed to, with the rights that its client has now. */
export const resubscribe = async (
  { pipeline, stopping }: ResubscribeParts,
  session: LegacySession,
  uris: readonly string[],
): Promise<void> => {
  const ended = new AbortController();
  session.onEnd(() => ended.abort());
  using over = linkSignals(stopping, ended.signal);
  const { signal } = over;
  let missing = uris;
  for (const pause of PAUSES_MS) {
    if (missing.length === 0) return;
    await wait(pause, undefined, { ref: false, signal }).catch(() => undefined);
    const failed: string[] = [];
    await eachAtMost(MAX_AT_ONCE, missing, async (uri) => {
      if (signal.aborted || !session.subscriptions.includes(uri)) return;
      await subscribe(pipeline, session, uri, signal).catch(() => failed.push(uri));
    });
    missing = failed;
  }
};
