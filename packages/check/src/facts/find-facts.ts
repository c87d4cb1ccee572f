import type { CheckEra } from '@plugboard/contract';
import { pause } from '../connection/deadline.js';
import { listAt } from '../connection/json.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import type { Link } from '../session/link.js';
import { openSession } from '../session/open-session.js';
import { eraOf } from '../session/revision.js';
import type { Session } from '../session/session.js';
import type { ServerFacts } from './server-facts.js';

/** How much longer than the other era one may take to answer, at least; on a busy machine as long as the other took, twice. */
const PATIENCE_MS = 3_000;

type Attempt = {
  readonly session: Session | undefined;
  readonly why: string;
  readonly error: unknown;
  /** Refused for want of a token. */
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

const attempt = async (link: Link, era: CheckEra): Promise<Attempt> => {
  try {
    const session = await openSession(link, { era });
    if (await speaks(session)) return { session, why: '', error: undefined };
    const status = session.opening.http === undefined ? '' : `HTTP ${session.opening.http.status} `;
    const { error, result } = session.opening;
    const unsupported = result === undefined ? '' : 'it supports no revision of this era';
    const code = error === undefined ? unsupported : `error ${String(error.code)}`;
    await session.close();
    const locked = session.opening.http?.status === 401;
    return { session: undefined, why: `${era}: ${status}${code}`.trim(), error: undefined, locked };
  } catch (error) {
    return { session: undefined, why: `${era}: ${error instanceof Error ? error.message : String(error)}`, error };
  }
};

/** Opens a conversation in each era that was not excluded; a server may speak one, both or none. */
export const findFacts = async (link: Link, only?: CheckEra): Promise<ServerFacts> => {
  const wanted: readonly CheckEra[] =
    link.place.transport === 'sse' ? ['legacy'] : only === undefined ? ['legacy', 'modern'] : [only];
  const attempts = wanted.map((era) => attempt(link, era));
  // A legacy server may leave a modern question unanswered for ever; it has shown already that it is awake.
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
    const message = `The server answered in no era: ${outcomes.map(({ why }) => why).join('; ')}.`;
    // Something that answers, though not as a server does, was reached.
    throw outcomes.every(({ error }) => error instanceof Unreachable) ? new Unreachable(message) : new Error(message);
  }
  return { sessions, eras };
};
