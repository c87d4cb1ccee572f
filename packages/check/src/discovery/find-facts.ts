import type { CheckEra } from '@plugboard/contract';
import { pause } from '../connection/deadline.js';
import { listAt } from '../connection/json.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import type { Link } from '../session/link.js';
import { errorWords } from '../session/answer.js';
import { ChannelSession } from '../session/channel-session.js';
import { initializeParams } from '../session/envelope.js';
import { openSession } from '../session/open-session.js';
import { eraOf, LATEST } from '../session/revision.js';
import type { Session } from '../session/session.js';
import { stdioChannel } from '../session/stdio-channel.js';
import type { ServerFacts } from './server-facts.js';

/** How much longer than the other era one may take to answer, at least; on a busy machine as long as the other took, twice. */
const PATIENCE_MS = 3_000;

/** How long a process that speaks the modern era may stay silent when another has answered in the legacy one. */
const BEFORE_CONTROL_MS = 500;
const AFTER_CONTROL_MS = 500;

type Attempt = {
  readonly session: Session | undefined;
  readonly why: string;
  readonly error: unknown;
  /** Refused because no token was sent. */
  readonly locked?: boolean;
};

const UNSUPPORTED_VERSION = -32_022;

/** SDKs answer server/discover also for servers that have not turned the modern era on, and refuse everything else. */
const servesModern = async (session: Session): Promise<boolean> => {
  const listed = listAt(session.opening.result, 'supportedVersions').map(String);
  if (listed.length === 0 || listed.some((version) => eraOf(version) === 'modern')) return listed.length > 0;
  return (await session.request('tools/list')).error?.code !== UNSUPPORTED_VERSION;
};

const speaks = async (session: Session): Promise<boolean> =>
  session.opening.result !== undefined && (session.era === 'legacy' || (await servesModern(session)));

/**
 * A legacy server may leave server/discover unanswered forever. One that answers initialize on the same process, and the
 * question before still not, does not speak the modern era; that is known sooner than by waiting.
 */
const openModern = async (link: Link, legacy: Promise<unknown>): Promise<Session> => {
  const session = new ChannelSession(link, stdioChannel(link), { era: 'modern' });
  let isControlled = false;
  let isOpened = false;
  const control = async (): Promise<never> => {
    await legacy;
    await pause(BEFORE_CONTROL_MS, link.signal);
    // The conversation is in use: to send initialize now would make a server of both eras change to the other one.
    if (isOpened) return await new Promise<never>(() => undefined);
    isControlled = true;
    const params = initializeParams({ era: 'legacy', revision: LATEST.legacy });
    await session.request('initialize', params, { bare: true });
    await pause(AFTER_CONTROL_MS, link.signal);
    throw new NoAnswer('server/discover stays unanswered, and initialize after it is answered');
  };
  const open = async (): Promise<void> => {
    await session.open();
    isOpened = true;
  };
  const opened = open();
  const controlled = control();
  // When one decides, the other may still fail.
  for (const one of [opened, controlled]) void one.catch(() => undefined);
  try {
    await Promise.race([opened, controlled]);
    if (!isControlled) return session;
  } catch (error) {
    void session.close();
    throw error;
  }
  // It merely was late, and has been told two things: a conversation begins with one.
  void session.close();
  return await openSession(link, { era: 'modern' });
};

/** How an opening was refused, and where a redirect leads: the referee follows none. */
const refusalWords = ({ http, error, result }: Session['opening']): string => {
  const { location } = http?.headers ?? {};
  const isRedirect = http !== undefined && http.status >= 300 && http.status < 400 && location !== undefined;
  return [
    ...(http === undefined ? [] : [`HTTP ${http.status}`]),
    ...(isRedirect ? [`a redirect to ${location} (check that address)`] : []),
    ...(error === undefined ? [] : [errorWords(error)]),
    ...(result === undefined ? [] : ['it supports no revision of this era']),
  ].join(', ');
};

/** Why no era could be opened: once, when the reason is the same for all. */
const reasonFor = (wanted: readonly CheckEra[], outcomes: readonly Attempt[]): string => {
  const reasons = outcomes.map(({ why }) => why.replace(/\.$/u, ''));
  const [first = ''] = reasons;
  if (reasons.every((reason) => reason === first)) return first;
  return reasons.map((reason, index) => `${wanted[index] ?? ''}: ${reason}`).join('; ');
};

const opening = (link: Link, era: CheckEra, legacy: Promise<unknown>): Promise<Session> =>
  era === 'modern' && link.place.transport === 'stdio' ? openModern(link, legacy) : openSession(link, { era });

const attempt = async (link: Link, era: CheckEra, legacy: Promise<unknown>): Promise<Attempt> => {
  try {
    const session = await opening(link, era, legacy);
    if (await speaks(session)) return { session, why: '', error: undefined };
    await session.close();
    const locked = session.opening.http?.status === 401;
    return { session: undefined, why: refusalWords(session.opening), error: undefined, locked };
  } catch (error) {
    return { session: undefined, why: error instanceof Error ? error.message : String(error), error };
  }
};

/** Opens a conversation in each era that was not excluded; a server may speak one, both or none. */
export const findFacts = async (link: Link, only?: CheckEra): Promise<ServerFacts> => {
  const wanted: readonly CheckEra[] =
    link.place.transport === 'sse' ? ['legacy'] : only === undefined ? ['legacy', 'modern'] : [only];
  let hasLegacy = (): void => undefined;
  const legacy = new Promise<void>((resolve) => {
    hasLegacy = resolve;
  });
  const attempts = wanted.map(async (era) => {
    const made = await attempt(link, era, legacy);
    if (made.session?.era === 'legacy') hasLegacy();
    return made;
  });
  // A legacy server may leave a modern question unanswered forever; it has shown already that it is awake.
  const began = performance.now();
  const patience = Promise.race(
    attempts.map(async (one) =>
      (await one).session === undefined ? await new Promise<never>(() => undefined) : undefined,
    ),
  ).then(() => pause(Math.max(PATIENCE_MS, 2 * (performance.now() - began)), link.signal));
  const late: Attempt = { session: undefined, why: 'no answer in time', error: new NoAnswer('No answer in time.') };
  const outcomes = await Promise.all(attempts.map((one) => Promise.race([one, patience.then(() => late)])));
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === late) void attempts[index]?.then(({ session }) => session?.close());
  }
  const sessions = Object.fromEntries(
    outcomes.flatMap(({ session }) => (session === undefined ? [] : [[session.era, session]])),
  ) as ServerFacts['sessions'];
  const eras = wanted.filter((era) => sessions[era] !== undefined);
  if (eras.length === 0 && outcomes.every(({ locked }) => locked === true)) {
    return { sessions: {}, eras: wanted.slice(0, 1), locked: true };
  }
  if (eras.length === 0) {
    const message = `The server answered in no era: ${reasonFor(wanted, outcomes)}.`;
    // Something that answers, though not as a server does, was reached.
    throw outcomes.every(({ error }) => error instanceof Unreachable) ? new Unreachable(message) : new Error(message);
  }
  return { sessions, eras };
};
