import { at, show } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { notVerified } from '../../model/finding.js';
import { notificationsOf } from '../instrument/unsolicited-messages.js';
import { tryCall } from '../instrument/exercise.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { collectProgress, tokenOf, withTokens, type Reported } from './collect.js';

const progress = { family: 'progress', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'tools' } as const;
const LEGACY = 'basic/utilities/progress';
const MODERN = 'basic/patterns/progress';

const reporting = (reported: readonly Reported[]): readonly Reported[] =>
  reported.filter(({ during }) => during.length > 0);
const NOTHING = notVerified('No tool reported progress.', 'a tool that reports progress: --allow name');

export const tokenEchoed = defineCheck({
  ...progress,
  id: 'PRG-01',
  title: 'progress carries the token of its request, with its original type',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    `${LEGACY}#behavior-requirements`,
    'Progress notifications MUST only reference tokens that: Were provided in an active request Are associated with an in-progress operation',
    `${MODERN}#behavior-requirements`,
  ),
  remedy: 'Return params._meta.progressToken unchanged; do not convert numbers to strings.',
  async run(probe) {
    const found = reporting([
      ...(await withTokens(probe)),
      ...(await collectProgress(probe, (index) => (index % 2 === 0 ? 7_000 + index : `text-${index}`))),
    ]);
    if (found.length === 0) return NOTHING;
    const flaws = found.flatMap(({ tool, token, during, exchange }) =>
      during
        .filter((report) => tokenOf(report) !== token)
        .map((report) => ({
          detail: `${tool.name}: ${JSON.stringify(tokenOf(report))} for ${JSON.stringify(token)}.`,
          exchange,
        })),
    );
    return judged(flaws, 'the same token');
  },
});

export const increases = defineCheck({
  ...progress,
  id: 'PRG-02',
  title: 'progress increases with each report, and does not exceed the total',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    `${LEGACY}#progress-flow`,
    'The progress value MUST increase with each notification, even if the total is unknown.',
    `${MODERN}#progress-flow`,
  ),
  remedy: 'Report progress only when it has increased.',
  async run(probe) {
    const found = reporting(await withTokens(probe));
    if (found.length === 0) return NOTHING;
    const flaws = found.flatMap(({ tool, during, exchange }): readonly Flaw[] => {
      const values = during.map((report) => at(report, 'params', 'progress'));
      const odd = values.find((value) => typeof value !== 'number');
      if (odd !== undefined || values.includes(undefined)) {
        return [{ detail: `${tool.name} reported ${show(odd)}.`, exchange }];
      }
      const numbers = values.map(Number);
      const stuck = numbers.findIndex((value, index) => index > 0 && value <= (numbers[index - 1] ?? 0));
      if (stuck > 0) return [{ detail: `${tool.name} reported ${numbers.join(', ')}.`, exchange }];
      const beyond = during.find(
        (report) => Number(at(report, 'params', 'progress')) > Number(at(report, 'params', 'total') ?? Infinity),
      );
      return beyond === undefined
        ? []
        : [{ detail: `${tool.name} reported more than its total.`, exchange, beyond: true }];
    });
    return judged(flaws, 'numbers that grow');
  },
});

export const stopsWithResponse = defineCheck({
  ...progress,
  id: 'PRG-03',
  title: 'no progress is reported after the response',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    `${LEGACY}#implementation-notes`,
    'Progress notifications MUST stop after completion',
    `${MODERN}#implementation-notes`,
  ),
  remedy: 'Stop reporting before the response is sent.',
  async run(probe) {
    const found = reporting(await withTokens(probe));
    if (found.length === 0) return NOTHING;
    const flaws = found
      .filter(({ after }) => after.length > 0)
      .map(({ tool, after, exchange }) => ({ detail: `${tool.name} reported ${after.length} times more.`, exchange }));
    return judged(flaws, 'nothing after the response');
  },
});

export const onlyWithToken = defineCheck({
  ...progress,
  id: 'PRG-04',
  title: 'no progress is reported without a token, and concurrent calls keep their own tokens',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    `${LEGACY}#behavior-requirements`,
    'Progress notifications MUST only reference tokens that: Were provided in an active request Are associated with an in-progress operation',
    `${MODERN}#behavior-requirements`,
  ),
  remedy: 'Report only for requests with a progressToken, each with its own.',
  async run(probe) {
    const [first] = reporting(await withTokens(probe));
    if (first === undefined) return NOTHING;
    const silent = await collectProgress(probe, () => undefined);
    const unasked = silent
      .filter(({ during, after }) => during.length + after.length > 0)
      .map(({ tool, exchange }) => ({ detail: `${tool.name} reported without a token.`, exchange }));
    const session = await probe.open();
    const call = { tool: first.tool, args: first.args };
    const tokens = ['side-a', 'side-b', 'side-c'];
    const called = await Promise.all(
      tokens.map((progressToken) => tryCall(probe, session, call, { meta: { progressToken } })),
    );
    // Over HTTP each call has a stream of its own, so a token of another call is a mistake there.
    const foreign = called.flatMap(({ answer }, index): readonly Flaw[] => {
      const own = probe.transport === 'streamable-http' ? [tokens[index]] : tokens;
      return notificationsOf(answer?.before ?? [], 'notifications/progress')
        .filter((report) => !own.includes(String(tokenOf(report))))
        .map((report) => ({ detail: `A report names ${show(tokenOf(report))}.`, exchange: answer?.exchange }));
    });
    return judged([...unasked, ...foreign], 'reports for requests with a token only, each with its own');
  },
});

const MOST = 100;

export const moderateRate = defineCheck({
  ...progress,
  id: 'PRG-05',
  title: 'progress is reported at most a hundred times a second',
  level: 'SHOULD',
  tier: 'full',
  source: inBoth(
    `${LEGACY}#implementation-notes`,
    'Both parties SHOULD implement rate limiting to prevent flooding',
    `${MODERN}#implementation-notes`,
  ),
  remedy: 'Drop reports that follow too closely.',
  async run(probe) {
    const found = reporting(await withTokens(probe));
    if (found.length === 0) return NOTHING;
    const flaws = found
      .filter(({ during, elapsedMs }) => during.length > MOST * Math.max(1, elapsedMs / 1_000))
      .map(({ tool, during, elapsedMs, exchange }) => ({
        detail: `${tool.name}: ${during.length} in ${Math.round(elapsedMs)} ms.`,
        exchange,
      }));
    return judged(flaws, 'at most 100 reports a second');
  },
});

export const reportChecks = [tokenEchoed, increases, stopsWithResponse, onlyWithToken, moderateRate];
