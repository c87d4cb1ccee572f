import { randomBytes } from 'node:crypto';
import { pause } from '../../connection/deadline.js';
import type { JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe } from '../../session/answer.js';
import type { Session } from '../../session/session.js';
import { openListeningStream, notificationsOf } from '../instrument/unsolicited-messages.js';
import { inBoth } from '../instrument/in-both.js';
import { tokenOf } from '../progress/collect.js';
import { spec } from '../instrument/spec.js';
import { listen } from '../subscriptions/listen.js';
import { withTool } from './behind.js';

const forwarding = { family: 'hub', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, tier: 'standard' } as const;
const LIST_CHANGED = 'notifications/tools/list_changed';
/** An aggregate may read the new list before it tells of it. */
const PATIENCE_MS = 5_000;
const STEP_MS = 20;

/** Starts to listen for changes of lists; gives what came so far. */
const listening = async (probe: Probe, session: Session): Promise<() => readonly JsonObject[]> => {
  if (session.era === 'modern') {
    return (await listen(probe, session, { toolsListChanged: true }, 'hub-changes')).messages;
  }
  await openListeningStream(session);
  return () => session.incoming;
};

const eventually = async (probe: Probe, isSo: () => boolean): Promise<boolean> => {
  const until = performance.now() + Math.min(PATIENCE_MS, probe.target.budgets.requestMs);
  while (!isSo() && performance.now() < until && !probe.signal.aborted) await pause(STEP_MS, probe.signal);
  return isSo();
};

export const changesReachClient = defineCheck({
  ...forwarding,
  id: 'HUB-03',
  title: 'an aggregate notifies its clients when the tools of a server behind it change',
  level: 'SHOULD',
  needs: 'tools.listChanged',
  alone: true,
  source: inBoth(
    'server/tools#list-changed-notification',
    'When the list of available tools changes, servers that declared the listChanged capability SHOULD send a notification',
  ),
  remedy: 'Listen for list_changed from every server, and forward it to every client that listens.',
  run: withTool('changingTool', 'changes the list of tools', async (probe, tool) => {
    const session = await probe.open();
    const heard = await listening(probe, session);
    const answer = await probe.call(session, tool, tool.arguments[0] ?? {});
    if (answer.result === undefined) {
      return notVerified(
        `${tool.name} came back with ${describe(answer)}.`,
        'arguments that it takes: --allow \'name={"key":"value"}\'',
      );
    }
    const came = await eventually(
      probe,
      () => notificationsOf([...answer.before, ...heard()], LIST_CHANGED).length > 0,
    );
    if (came) return holds();
    return broken({
      detail: `${tool.name} was called, and no notification arrived.`,
      expected: LIST_CHANGED,
      exchange: answer.exchange,
    });
  }),
});

export const progressReachesClient = defineCheck({
  ...forwarding,
  id: 'HUB-05',
  title: 'an aggregate forwards the progress of its servers, with the token of the client',
  level: 'ADVICE',
  needs: 'tools',
  source: inBoth(
    'basic/utilities/progress#behavior-requirements',
    'Progress notifications MUST only reference tokens that: Were provided in an active request Are associated with an in-progress operation',
    'basic/patterns/progress#behavior-requirements',
  ),
  remedy: 'Send a token with the request to the server, and forward its reports with the token of the client.',
  run: withTool('progressTool', 'reports progress', async (probe, tool) => {
    const session = await probe.open();
    await openListeningStream(session);
    const progressToken = `hub-${probe.era}`;
    const answer = await probe.call(session, tool, tool.arguments[0] ?? {}, { meta: { progressToken } });
    if (answer.result === undefined) {
      return notVerified(
        `${tool.name} came back with ${describe(answer)}.`,
        'arguments that it takes: --allow \'name={"key":"value"}\'',
      );
    }
    await session.settle();
    const reports = notificationsOf([...answer.before, ...session.incoming], 'notifications/progress');
    if (reports.some((report) => tokenOf(report) === progressToken)) return holds();
    const detail = `${tool.name} was called with the token ${progressToken}, and no report with it arrived.`;
    return broken({ detail, expected: 'notifications/progress with that token', exchange: answer.exchange });
  }),
});

export const traceReachesServer = defineCheck({
  ...forwarding,
  id: 'HUB-10',
  title: 'an aggregate passes the trace of a call on to the server',
  level: 'ADVICE',
  needs: 'tools',
  source: spec(
    '2026-07-28',
    'basic/index#_meta',
    'When present, their values MUST follow W3C Trace Context and W3C Baggage formats respectively.',
  ),
  remedy: 'Pass traceparent in _meta on to the server: as it is, or as a span of the same trace.',
  run: withTool('metaTool', 'shows the _meta that reached it', async (probe, tool) => {
    const trace = randomBytes(16).toString('hex');
    const meta = { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` };
    const answer = await probe.call(probe.session(), tool, tool.arguments[0] ?? {}, { meta });
    if (answer.result === undefined) {
      return notVerified(
        `${tool.name} came back with ${describe(answer)}.`,
        'arguments that it takes: --allow \'name={"key":"value"}\'',
      );
    }
    if (JSON.stringify(answer.result).includes(trace)) return holds();
    const detail = `${tool.name} does not show the trace ${trace}.`;
    return broken({ detail, expected: 'a traceparent of the same trace', exchange: answer.exchange });
  }),
});
