import { pause } from '../../connection/deadline.js';
import { at, type JsonObject } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Session } from '../../session/session.js';
import { withTokens } from '../progress/collect.js';
import { slower, waiting, type SlowCall } from '../instrument/slow-call.js';
import { spec } from '../instrument/spec.js';
import { BY_CLOSING, byNotification, cancel } from './cancel.js';

const LONGEST_MS = 4_000;
const FACTORS = [1, 3] as const;

const NOTHING_REPORTS = notVerified(
  'No tool that may be called reports progress often enough to be cancelled between two reports.',
  'a tool that reports progress for about a second: --allow \'name={"steps":5,"duration":2}\'',
);

/** A call that reports several times, with pauses. */
const findReporting = async (probe: Probe): Promise<SlowCall | undefined> => {
  const first = (await withTokens(probe)).find(({ during }) => during.length > 1);
  if (first === undefined) return undefined;
  const { tool, args, elapsedMs } = first;
  const ms = Math.max(200, 5 * probe.target.budgets.quietMs);
  return waiting({ ...tool, arguments: [args] }, ms) ?? { tool, args, ms: elapsedMs, parameter: undefined };
};

const reportsOf = (probe: Probe, token: string): readonly JsonObject[] =>
  probe.observations.all
    .map(({ message }) => message)
    .filter(
      (message) => message['method'] === 'notifications/progress' && at(message, 'params', 'progressToken') === token,
    );

const arrived = async (probe: Probe, token: string, ms: number): Promise<boolean> => {
  const end = performance.now() + ms;
  while (performance.now() < end && reportsOf(probe, token).length === 0) await pause(10, probe.signal);
  return reportsOf(probe, token).length > 0;
};

interface Cancelled {
  readonly before: number;
  readonly after: number;
}

/** Cancels the call after its first report, and counts those that come when the cancellation has been read for certain. */
const cancelBetween = async (probe: Probe, session: Session, call: SlowCall, id: string): Promise<Cancelled> => {
  const timeoutMs = Math.min(LONGEST_MS, Math.max(1_000, 4 * call.ms));
  const pending = probe
    .call(session, call.tool, call.args, { id, timeoutMs, meta: { progressToken: id } })
    .catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
  const reported = await arrived(probe, id, timeoutMs);
  await cancel(session, id);
  await session.settle();
  const before = reportsOf(probe, id).length;
  await pending;
  return { before: reported ? before : 0, after: reportsOf(probe, id).length - before };
};

export const cancelledReportsNothing = defineCheck({
  family: 'cancellation',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  id: 'CAN-07',
  title: 'a cancelled request reports no more progress',
  level: 'SHOULD',
  tier: 'standard',
  needs: 'tools',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/utilities/cancellation#behavior-requirements',
      'Receivers of cancellation notifications SHOULD: Stop processing the cancelled request […]',
    ),
    modern: spec(
      '2026-07-28',
      'basic/patterns/cancellation#behavior-requirements',
      'Servers receiving cancellation notifications SHOULD: Stop processing the cancelled request […]',
    ),
  },
  remedy: 'Check the abort signal of the request before each step, and send no notifications/progress after it.',
  async run(probe) {
    if (!byNotification(probe)) return BY_CLOSING;
    const call = await findReporting(probe);
    if (call === undefined) return NOTHING_REPORTS;
    const session = await probe.open();
    let last: Cancelled = { before: 0, after: 0 };
    // The second time with longer pauses: what was on its way already cannot come then.
    for (const factor of FACTORS) {
      last = await cancelBetween(probe, session, slower(call, factor), `cancelled-${crypto.randomUUID()}`);
      if (last.after === 0) return last.before === 0 ? NOTHING_REPORTS : holds();
    }
    return broken({
      detail: `${call.tool.name} was cancelled after its first reportand sent ${last.after} more reports.`,
      expected: 'no notifications/progress after the cancellation',
    });
  },
});
