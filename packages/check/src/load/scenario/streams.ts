import { pause } from '../../connection/deadline.js';
import { AnswerJudge } from '../call/answer-judge.js';
import { CallText } from '../call/call-text.js';
import type { Sent } from '../line/load-line.js';
import type { Resumption } from '../line/resumed-request.js';
import { StreamWatch } from '../line/stream-watch.js';
import { callerOf, openConversation, withCrew } from './crew.js';
import { skipped, type Ground, type Scenario } from './ground.js';
import { healthCall } from './health-call.js';
import { holdStream, holdStreams, type Held } from './hold-streams.js';
import { measure } from './measure.js';

const HEALTH_RATE = 10;
/** How often a stream is cut and resumed. */
const CUTS = 5;
/** A client comes back after a moment. */
const REOPEN_MS = 100;

interface Watched {
  readonly watches: readonly StreamWatch[];
  /** Streams that the server ended. */
  readonly ended: number;
  /** Those of them that could not be opened again. */
  readonly lost: number;
}

/** Holds a stream until the time is over; one that ends is opened again, as a client does. */
const follow = async (ground: Ground, first: Held, over: AbortSignal): Promise<Watched> => {
  const watches = [first.watch];
  let [held, ended]: [Held, number] = [first, 0];
  for (;;) {
    const closing = new Promise<boolean>((resolve) => {
      over.addEventListener('abort', () => resolve(true), { once: true });
    });
    const isOver = over.aborted || (await Promise.race([closing, held.stream.ended.then(() => over.aborted)]));
    if (isOver) break;
    ended += 1;
    // The stream of HTTP+SSE is the session: it cannot be had again.
    if (held.conversation.line.transport === 'sse') return { watches, ended, lost: 1 };
    await pause(REOPEN_MS, over);
    if (over.aborted) break;
    const watch = new StreamWatch();
    const again = await holdStream(ground, held.conversation, watch);
    if (again === undefined) return { watches, ended, lost: 1 };
    watches.push(watch);
    held = again;
  }
  return { watches, ended, lost: 0 };
};

const NO_RESUMPTION: Resumption = { kind: 'not-tried', why: 'This transport has no resumption.' };

interface Resumptions {
  readonly tried: number;
  readonly failed: number;
  readonly lost: number;
  /** Why nothing was tried, or the first failure. */
  readonly note: string | undefined;
}

/** Cuts the streams of calls after their first event, and counts what is missing after Last-Event-ID. */
const resumptions = async (ground: Ground): Promise<Resumptions> => {
  const conversation = await openConversation(ground);
  const { line } = conversation;
  const text = new CallText(ground.call, line);
  const judge = new AnswerJudge(ground);
  const outcomeOf = async (sent: Sent, cuts: boolean): Promise<Resumption> =>
    cuts
      ? ((await line.resume?.(sent, ground.deadlineMs, ground.signal)) ?? NO_RESUMPTION)
      : { kind: 'resumed', arrival: await line.request(sent, ground.deadlineMs) };
  const send = async (cuts: boolean) => {
    const [id, canary] = [conversation.newId(), ground.canaries.next()];
    if (ground.call.progress) conversation.begin(canary);
    const outcome = await outcomeOf(text.write(id, canary), cuts);
    if (outcome.kind === 'not-tried') return { why: outcome.why };
    const { arrival } = outcome;
    if (arrival.kind === 'failure') return { error: arrival.error };
    judge.judge(arrival, { id, canary }, conversation);
    conversation.end(canary);
    return { notices: arrival.notices.length };
  };
  try {
    const whole = await send(false);
    let [tried, failed, lost] = [0, 0, 0];
    let note: string | undefined;
    for (; tried < CUTS && !ground.signal.aborted; tried += 1) {
      const { why, error, notices = 0 } = await send(true);
      if (why !== undefined) return { tried, failed, lost, note: why };
      if (error !== undefined) {
        failed += 1;
        note ??= error;
      } else {
        lost += Math.max(0, (whole.notices ?? 0) - notices);
      }
    }
    return { tried, failed, lost, note };
  } finally {
    await line.close();
  }
};

const wordsOf = ({ tried, failed, lost, note }: Resumptions): string => {
  if (tried === 0) return `resumption not tried: ${note ?? 'nothing could be cut'}`;
  const why = note === undefined ? '' : ` (${note})`;
  return `${tried - failed} of ${tried} cut streams resumed${why}, ${lost} events lost`;
};

/** Streams that are held for a while: who keeps them alive, who drops them, and whether they can be resumed. */
export const streams: Scenario = async (ground) => {
  const { concurrency, seconds } = ground.plan;
  if (ground.shared !== undefined) return skipped('A program has no event streams.');
  return await withCrew(ground, concurrency, async ({ conversations }) => {
    const held = await holdStreams(ground, conversations);
    if (held.length === 0) return skipped('The server offers no stream to listen on.');
    const over = new AbortController();
    const watching = Promise.all(held.map((one) => follow(ground, one, over.signal)));
    const health = healthCall(ground.era);
    const callers = held.map(({ conversation }) => callerOf(ground, health, conversation));
    const beside = { scenario: 'streams', name: 'health beside held streams', ms: seconds * 1_000, rate: HEALTH_RATE };
    const [phase, resumed] = await Promise.all([measure(ground, callers, beside), resumptions(ground)]);
    over.abort();
    const watched = await watching;
    const watches = watched.flatMap((one) => one.watches);
    const sum = (pick: (one: Watched) => number): number => watched.reduce((total, one) => total + pick(one), 0);
    const [ended, lost] = [sum((one) => one.ended), sum((one) => one.lost)];
    const gaps = watches.map((watch) => watch.longestGapMs());
    const keepAlives = watches.reduce((total, watch) => total + watch.keepAlives, 0);
    const events = watches.reduce((total, watch) => total + watch.events, 0);
    const longest = Math.max(0, ...gaps);
    const { metrics } = ground;
    metrics.set('streams', { count: held.length, rate: held.length / concurrency });
    metrics.set('stream_ended', { count: ended, rate: ended / held.length });
    metrics.set('stream_lost', { count: lost, rate: lost / held.length });
    metrics.set('stream_gap', { max: longest, avg: gaps.reduce((total, gap) => total + gap, 0) / gaps.length });
    metrics.set('keep_alives', { count: keepAlives, rate: keepAlives / held.length / phase.seconds });
    if (resumed.tried > 0) {
      metrics.set('resumption_failed', { count: resumed.failed, rate: resumed.failed / resumed.tried });
      metrics.set('events_lost', { count: resumed.lost, rate: resumed.lost / resumed.tried });
    }
    const summary = `${held.length} streams held for ${phase.seconds.toFixed(0)} s: ${ended} ended, ${lost} lost, ${keepAlives} keep-alives, ${events} events, longest gap ${(longest / 1_000).toFixed(1)} s; ${wordsOf(resumed)}`;
    return { summary, phases: [phase] };
  });
};
