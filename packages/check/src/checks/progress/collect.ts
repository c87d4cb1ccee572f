import { pause } from '../../connection/deadline.js';
import { at, type JsonObject } from '../../connection/json.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import type { Exchange } from '../../session/exchange.js';
import type { Session } from '../../session/session.js';
import { openListeningStream, notificationsOf } from '../instrument/unsolicited-messages.js';
import { responsive, tryCall } from '../instrument/exercise.js';
import { findSlow } from '../instrument/slow-call.js';

const METHOD = 'notifications/progress';

/** What a call reported while it was in progress, and after it. */
export interface Reported {
  readonly tool: CallableTool;
  readonly args: JsonObject;
  readonly token: string | number | undefined;
  readonly during: readonly JsonObject[];
  readonly after: readonly JsonObject[];
  readonly elapsedMs: number;
  readonly exchange: Exchange | undefined;
}

export const tokenOf = (report: JsonObject): unknown => at(report, 'params', 'progressToken');

/**
 * How many messages may have been on their way when the answer came. A response and the stream for other messages are two
 * connections over Streamable HTTP, and what was sent before the response may come after it.
 */
const passedBy = ({ transport, incoming }: Session): number => (transport === 'streamable-http' ? incoming.length : 0);

/** Calls every tool with a token that `tokenFor` gives, one after another. */
export const collectProgress = async (
  probe: Probe,
  tokenFor: (index: number) => string | number | undefined,
): Promise<readonly Reported[]> => {
  const slow = await findSlow(probe);
  const quick = (await responsive(probe)).filter(({ name }) => name !== slow?.tool.name);
  const calls = [
    ...quick.map((tool) => ({ tool, args: tool.arguments[0] ?? {} })),
    ...(slow === undefined ? [] : [slow]),
  ];
  if (calls.length === 0) return [];
  const session = await probe.open();
  await openListeningStream(session);
  const reported: Reported[] = [];
  for (const [index, call] of calls.entries()) {
    const token = tokenFor(index);
    const meta = token === undefined ? {} : { progressToken: token };
    const { answer } = await tryCall(probe, session, call, { meta });
    const during = notificationsOf(answer?.before ?? [], METHOD);
    if (during.length > 0) await session.settle();
    const passed = passedBy(session);
    if (during.length > 0 && passed > 0) await pause(probe.target.budgets.quietMs, probe.signal);
    const after = notificationsOf(session.incoming.slice(passed), METHOD).filter(
      (report) => token !== undefined && tokenOf(report) === token && !during.includes(report),
    );
    const { elapsedMs = 0, exchange } = answer ?? {};
    reported.push({ tool: call.tool, args: call.args, token, during, after, elapsedMs, exchange });
  }
  return reported;
};

/** Every tool called once with a token, texts and numbers by turns. */
export const withTokens = (probe: Probe): Promise<readonly Reported[]> =>
  probe.once('progress', () => collectProgress(probe, (index) => (index % 2 === 0 ? `token-${index}` : 9_000 + index)));
