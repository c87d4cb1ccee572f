import type { JsonObject } from '../../connection/json.js';
import type { Probe } from '../../probe/probe.js';
import { META } from '../../session/meta.js';
import type { Exchange } from '../../session/exchange.js';
import { openListeningStream, notificationsOf } from '../instrument/unsolicited-messages.js';
import { responsive, tryCall } from '../instrument/exercise.js';

export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** What was logged during the calls of every tool that may be called. */
export interface Logged {
  readonly messages: readonly JsonObject[];
  readonly exchange: Exchange | undefined;
  /** The most messages that came along with one call. */
  readonly most: number;
}

/** Calls everything at this log level; undefined asks for no log (modern) or leaves the level alone (legacy). */
export const collectLogs = async (probe: Probe, level: string | undefined): Promise<Logged> => {
  const session = await probe.open();
  await openListeningStream(session);
  if (probe.era === 'legacy' && level !== undefined) await session.request('logging/setLevel', { level });
  await session.settle();
  const from = session.incoming.length;
  const meta = probe.era === 'modern' && level !== undefined ? { [META.logLevel]: level } : {};
  const along: JsonObject[] = [];
  let [exchange, most]: [Exchange | undefined, number] = [undefined, 0];
  for (const tool of await responsive(probe)) {
    const { answer } = await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} }, { meta });
    const logs = notificationsOf(answer?.before ?? [], 'notifications/message');
    if (logs.length > 0) exchange ??= answer?.exchange;
    most = Math.max(most, logs.length);
    along.push(...logs);
  }
  await session.settle();
  const aside = notificationsOf(session.incoming.slice(from), 'notifications/message');
  return { messages: [...new Set([...along, ...aside])], exchange, most };
};

const NOTHING_LOGGED: Logged = { messages: [], exchange: undefined, most: 0 };

/** Everything that the server logs when it is asked to log all; without a tool to call it has no occasion. */
export const everythingLogged = (probe: Probe): Promise<Logged> =>
  probe.once('logs', async () =>
    (await responsive(probe)).length === 0 ? NOTHING_LOGGED : await collectLogs(probe, 'debug'),
  );
