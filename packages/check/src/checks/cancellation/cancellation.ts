import { pause } from '../../connection/deadline.js';
import type { JsonObject, MessageId } from '../../connection/json.js';
import type { Line } from '../../connection/line-connection.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { endOfSequence } from '../../session/exchange.js';
import { describe, type Answer } from '../../session/answer.js';
import type { Session } from '../../session/session.js';
import { successful, tryCall } from '../instrument/exercise.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, NOTHING_SUCCESSFUL } from '../instrument/judge.js';
import { findSlow, NOTHING_SLOW, slower, type SlowCall } from '../instrument/slow-call.js';
import { jsonRpc, spec } from '../instrument/spec.js';
import { BY_CLOSING, byNotification, cancel } from './cancel.js';
import { cancelledReportsNothing } from './progress.js';

const cancellation = { family: 'cancellation', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;
const LEGACY = 'basic/utilities/cancellation';
const MODERN = 'basic/patterns/cancellation';
/** A process that was started before, and has not answered after several times as long, will not. */
const USUAL_STARTS = 4;
const MIN_START_MS = 1_000;

type Quick = Pick<SlowCall, 'tool' | 'args' | 'ms'>;

/** What the call comes to; undefined when nothing came while it could still come. */
const patient = (
  probe: Probe,
  session: Session,
  { tool, args, ms }: Quick,
  id: MessageId,
): Promise<Answer | undefined> =>
  probe
    .call(session, tool, args, { id, timeoutMs: ms + Math.max(400, 4 * probe.target.budgets.quietMs) })
    .catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });

const alive = async (session: Session): Promise<Answer> =>
  await session.request(session.era === 'legacy' ? 'ping' : 'server/discover');

/** Cancels a call while it is in progress; the response, if one still came. */
const cancelled = async (probe: Probe, session: Session, slow: SlowCall, id: string): Promise<Answer | undefined> => {
  const pending = patient(probe, session, slow, id);
  await pause(30, probe.signal);
  await cancel(session, id);
  const answer = await pending;
  return answer?.response === undefined ? undefined : answer;
};

/** The control: the same call, left alone, comes to a result. */
const works = async (probe: Probe, session: Session, slow: SlowCall): Promise<boolean> => {
  const answer = await patient(probe, session, { ...slow, ms: probe.target.budgets.requestMs }, 'left-alone');
  return answer?.result !== undefined;
};

export const cancelledIsSilent = defineCheck({
  ...cancellation,
  id: 'CAN-01',
  title: 'a cancelled request is not answered, and the server keeps working',
  level: 'SHOULD',
  tier: 'standard',
  needs: 'tools',
  source: {
    legacy: spec(
      '2025-11-25',
      `${LEGACY}#behavior-requirements`,
      'Receivers of cancellation notifications SHOULD: Stop processing the cancelled request Free associated resources Not send a response for the cancelled request',
    ),
    modern: spec(
      '2026-07-28',
      `${MODERN}#behavior-requirements`,
      'Servers receiving cancellation notifications SHOULD: Stop processing the cancelled request Free associated resources Not send a response for the cancelled request',
    ),
  },
  remedy: 'Abort the work when notifications/cancelled names its request, and send no response for it.',
  async run(probe) {
    if (!byNotification(probe)) return BY_CLOSING;
    const slow = await findSlow(probe);
    if (slow === undefined) return NOTHING_SLOW;
    const session = await probe.open();
    // The first answer may have been on its way already; a longer call leaves no doubt.
    const answer =
      (await cancelled(probe, session, slow, 'cancel-me')) &&
      (await cancelled(probe, session, slower(slow, 5), 'cancel-again'));
    await alive(session);
    if (answer === undefined) return holds();
    return broken({
      detail: `${slow.tool.name} was cancelled, and came back with ${describe(answer)}.`,
      expected: 'no response',
      exchange: answer.exchange,
    });
  },
});

export const strangeCancelIgnored = defineCheck({
  ...cancellation,
  id: 'CAN-02',
  title: 'cancellations of unknown or finished requests, and malformed ones, are ignored',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    `${LEGACY}#error-handling`,
    'Invalid cancellation notifications SHOULD be ignored: Unknown request IDs Already completed requests Malformed notifications',
    `${MODERN}#error-handling`,
  ),
  remedy: 'Ignore notifications/cancelled that names nothing in progress; never answer a notification.',
  async run(probe) {
    if (!byNotification(probe)) return BY_CLOSING;
    const session = await probe.open();
    const { id } = await alive(session);
    const before = session.incoming.length;
    for (const requestId of ['never-sent', id, { odd: true }, null]) await cancel(session, requestId);
    await session.notify('notifications/cancelled');
    await session.settle();
    const answer = await alive(session);
    const said = session.incoming.slice(before).filter((message) => !('method' in message));
    return judged(
      [
        ...(answer.result === undefined
          ? [{ detail: `Then it came back with ${describe(answer)}.`, exchange: endOfSequence(answer.exchange) }]
          : []),
        ...said.map((message) => ({ detail: `It answered: ${JSON.stringify(message)}.`, exchange: answer.exchange })),
      ],
      'no answer, and a server that keeps running',
    );
  },
});

const ROUNDS = 20;

export const raceSurvived = defineCheck({
  ...cancellation,
  id: 'CAN-03',
  title: 'cancelling while the answer is being sent does no harm',
  level: 'MUST',
  tier: 'standard',
  needs: 'tools',
  source: inBoth(
    `${LEGACY}#timing-considerations`,
    'Both parties MUST handle these race conditions gracefully',
    `${MODERN}#timing-considerations`,
  ),
  remedy: 'Ignore the cancellation of a request that has ended.',
  async run(probe) {
    if (!byNotification(probe)) return BY_CLOSING;
    const [tool] = await successful(probe);
    if (tool === undefined) return NOTHING_SUCCESSFUL;
    const session = await probe.open();
    const quick = { tool, args: tool.arguments[0] ?? {}, ms: 0 };
    // The control: as many calls that nobody cancels. Some servers limit their rate.
    const alone = await probe.open();
    await Promise.all(Array.from({ length: ROUNDS }, () => tryCall(probe, alone, quick)));
    const { answer: before } = await tryCall(probe, alone, quick);
    if (before?.result === undefined) {
      return notVerified(
        `After ${ROUNDS} calls ${tool.name} came back with ${before === undefined ? 'no answer' : describe(before)}.`,
        'a tool that may be called often: --allow name',
      );
    }
    const calls = Array.from({ length: ROUNDS }, async (_, index) => {
      const pending = patient(probe, session, quick, `race-${index}`);
      await cancel(session, `race-${index}`);
      return await pending;
    });
    await Promise.all(calls);
    const { answer: after } = await tryCall(probe, session, quick);
    if (after?.result !== undefined) return holds();
    await session.settle();
    const { answer: later } = await tryCall(probe, await probe.open(), quick);
    const lasts = later?.result === undefined;
    // Damage that lasts is shown by one request, and keeps the check from beginning again.
    const exchange = after === undefined || lasts ? after?.exchange : endOfSequence(after.exchange);
    return broken({
      detail: `Then ${tool.name} came back with ${after === undefined ? 'no answer' : describe(after)}.`,
      expected: 'a result as before',
      exchange,
      lasts,
    });
  },
});

export const othersUnharmed = defineCheck({
  ...cancellation,
  id: 'CAN-04',
  inSequence: true,
  title: 'cancelling one request does not affect another',
  level: 'MUST',
  tier: 'standard',
  needs: 'tools',
  source: jsonRpc(
    'response_object',
    'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications.',
  ),
  remedy: 'Track requests in progress by their id, and abort only the one that is named.',
  async run(probe) {
    if (!byNotification(probe)) return BY_CLOSING;
    const slow = await findSlow(probe);
    if (slow === undefined) return NOTHING_SLOW;
    const session = await probe.open();
    if (!(await works(probe, session, slow))) return NOTHING_SUCCESSFUL;
    const [first, second] = [
      patient(probe, session, slow, 'one'),
      patient(probe, session, { ...slow, ms: probe.target.budgets.requestMs }, 'other'),
    ];
    await pause(30, probe.signal);
    await cancel(session, 'one');
    const [, answer] = await Promise.all([first, second]);
    if (answer?.result !== undefined) return holds();
    return broken({
      detail: `The other call of ${slow.tool.name} got ${answer === undefined ? 'no answer' : describe(answer)}.`,
      expected: 'its result',
      exchange: answer?.exchange,
    });
  },
});

const MANY = 30;

export const resourcesFreed = defineCheck({
  ...cancellation,
  id: 'CAN-06',
  title: 'many cancelled requests do not slow the server down',
  level: 'SHOULD',
  tier: 'full',
  needs: 'tools',
  source: inBoth(`${LEGACY}#behavior-requirements`, 'Free associated resources', `${MODERN}#behavior-requirements`),
  remedy: 'Release what a cancelled request holds: slots in a pool, locks, connections.',
  async run(probe) {
    if (!byNotification(probe)) return BY_CLOSING;
    const slow = await findSlow(probe);
    if (slow === undefined) return NOTHING_SLOW;
    const session = await probe.open();
    if (!(await works(probe, session, slow))) return NOTHING_SUCCESSFUL;
    const pending = Array.from({ length: MANY }, (_, index) => patient(probe, session, slow, `many-${index}`));
    await pause(30, probe.signal);
    for (let index = 0; index < MANY; index += 1) await cancel(session, `many-${index}`);
    const answer = await patient(probe, session, { ...slow, ms: probe.target.budgets.requestMs }, 'after-many');
    await Promise.all(pending);
    if (answer?.result !== undefined) return holds();
    return broken({
      detail: `After ${MANY} cancelled calls, ${slow.tool.name} got ${answer === undefined ? 'no answer' : describe(answer)}.`,
      expected: 'its result',
      exchange: answer?.exchange,
    });
  },
});

export const initializeStands = defineCheck({
  ...cancellation,
  id: 'CAN-05',
  eras: ['legacy'],
  transports: ['stdio'],
  title: 'initialize is answered even if it is cancelled',
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    `${LEGACY}#behavior-requirements`,
    'The initialize request MUST NOT be cancelled by clients',
  ),
  remedy: 'Ignore notifications/cancelled that names the initialize request.',
  async run(probe) {
    const { request: opening, elapsedMs } = probe.session().opening;
    const lines = probe.spawn();
    const messages = [
      opening,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: opening['id'] } },
    ];
    lines.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const isAnswer = ({ message }: Line): JsonObject | undefined =>
      message?.['id'] === opening['id'] ? message : undefined;
    const ms = Math.min(probe.target.budgets.startMs, MIN_START_MS + USUAL_STARTS * elapsedMs);
    const answer = await probe.firstLine(lines, isAnswer, ms).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
    if (answer?.['result'] !== undefined) return holds();
    return broken({
      detail:
        answer === undefined
          ? 'initialize got no answer after a notifications/cancelled that names it.'
          : `The answer was ${JSON.stringify(answer)}.`,
      expected: 'the result of initialize',
    });
  },
});

export const cancellationChecks = [
  cancelledIsSilent,
  strangeCancelIgnored,
  raceSurvived,
  othersUnharmed,
  initializeStands,
  resourcesFreed,
  cancelledReportsNothing,
];
