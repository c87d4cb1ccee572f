import type { JsonRpcNotification } from '@plugboard/wire';
import { findLegacyLink } from '../connection/find-link.js';
import type { UpstreamPool } from '../connection/upstream-pool.js';
import type { LegacySession } from './legacy-session.js';

const OURS: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
]);
const SEND_MS = 10_000;

/** What a legacy client tells unasked: cancellations are ours, the rest is for the servers that it is connected to. */
export const takeNotification = (
  upstream: UpstreamPool,
  session: LegacySession,
  { method, params }: JsonRpcNotification,
): void => {
  session.usedAt = performance.now();
  if (method === 'notifications/cancelled') session.cancel(params);
  if (OURS.has(method)) return;
  for (const server of session.scope.servers()) {
    const link = findLegacyLink(upstream, server, { client: session.client, session });
    if (link?.identity.session !== session) continue;
    // A server that cannot be told now asks when it needs to know.
    void link.client.notify(method, params, { signal: AbortSignal.timeout(SEND_MS) }).catch(() => undefined);
  }
};
