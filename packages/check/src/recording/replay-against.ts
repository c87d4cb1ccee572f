import { anySignal } from '../connection/any-signal.js';
import type { CheckEra, CheckReport, CheckResult } from '@plugboard/contract';
import { authenticated } from '../auth/authenticated.js';
import { at, isObject, type JsonObject } from '../connection/json.js';
import { findFacts } from '../discovery/find-facts.js';
import { checkedServerOf } from '../discovery/server-facts.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';
import { reportOf, troubleOf } from '../outcome/report-of.js';
import { META } from '../session/meta.js';
import { eraOf } from '../session/revision.js';
import type { Session } from '../session/session.js';
import { secretMask } from '../target/mask-secrets.js';
import type { CheckTarget } from '../target/target.js';
import { exchangesOf, type RecordedExchange } from './exchanges.js';
import type { Recording } from './recording.js';
import { differences } from './semantic-difference.js';

export interface ReplayOptions extends PlaceOptions {
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** Paths of results that may differ, with * for any part. */
  readonly ignore?: readonly string[] | undefined;
}

const PAGE = 'https://github.com/plugboard/plugboard/blob/main/docs/record.md#differences';
/** A conversation begins in its own way; that is the business of the compliance checks. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping']);

const eraOfRecording = (exchanges: readonly RecordedExchange[]): CheckEra => {
  const version = at(exchanges[0]?.request, 'params', '_meta', META.protocolVersion);
  return typeof version === 'string' ? eraOf(version) : 'legacy';
};

/** Ids of the recording, replaced by those that the new server gave for the same things. */
const renamed = (value: unknown, ids: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((element) => renamed(element, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner, ids)]));
};

const nextPage = (params: JsonObject, cursors: ReadonlyMap<string, string>): JsonObject => {
  const cursor = cursors.get(String(params['cursor']));
  return cursor === undefined ? params : { ...params, cursor };
};

/** An error counts by its code: its text is for people. */
const outcomeOf = (response: JsonObject | undefined): JsonObject => {
  const error = at(response, 'error');
  return isObject(error) ? { error: { code: error['code'] } } : { result: at(response, 'result') ?? null };
};

const nameOf = ({ method, params }: RecordedExchange): string => {
  const name = params['name'] ?? params['uri'];
  return typeof name === 'string' ? `${method} ${name}` : method;
};

interface Compared {
  readonly session: Session;
  readonly ids: Map<string, string>;
  /** The same for cursors, which can be short texts: only `cursor` is replaced by them. */
  readonly cursors: Map<string, string>;
  readonly ignore: readonly string[];
  readonly mask: (text: string) => string;
}

const compareOne = async (
  exchange: RecordedExchange,
  index: number,
  { session, ids, cursors, ignore, mask }: Compared,
): Promise<CheckResult> => {
  const began = performance.now();
  const params = nextPage(renamed(exchange.params, ids) as JsonObject, cursors);
  let detail: string | undefined;
  let received = '';
  try {
    const answer = await session.request(exchange.method, params);
    received = JSON.stringify(answer.response) ?? '';
    const found = differences(outcomeOf(exchange.response), outcomeOf(answer.response), {
      ignore: ignore.map((path) => `result.${path}`),
      onId: (before, after) => void ids.set(before, after),
      onCursor: (before, after) => void cursors.set(before, after),
    });
    if (found.length > 0) detail = found.map(({ path, sentence }) => `${path} ${sentence}.`).join(' ');
  } catch (error) {
    detail = error instanceof Error ? error.message : String(error);
  }
  return {
    id: `REPLAY-${String(index + 1).padStart(3, '0')}`,
    title: `${nameOf(exchange)} is answered as recorded`,
    ...(detail === undefined ? {} : { problem: `${nameOf(exchange)} is answered differently` }),
    family: 'replay',
    level: 'MUST',
    tier: 'standard',
    transport: session.transport,
    era: session.era,
    verdict: detail === undefined ? 'pass' : 'fail',
    ...(detail === undefined
      ? {}
      : {
          detail: mask(detail),
          evidence: {
            sent: mask(JSON.stringify({ method: exchange.method, params })),
            received: mask(received).slice(0, 8_000),
            expected: 'the recorded answer',
            transcript: [],
          },
        }),
    source: { sentence: 'The same request gets the same answer, apart from ids, times and order.', url: PAGE },
    remedy: 'If the change is intended, record again; if a member may differ, name it with --ignore.',
    durationMs: Math.round(performance.now() - began),
  };
};

/** Sends the recorded requests to a server, in their order, and compares the answers. */
export const replayAgainst = async (
  recording: Recording,
  given: CheckTarget,
  options: ReplayOptions,
): Promise<CheckReport> => {
  const startedAt = new Date();
  const began = performance.now();
  const exchanges = exchangesOf(recording).filter(({ response }) => response !== undefined);
  const deadline = AbortSignal.timeout(given.budgets.runMs);
  const signal = anySignal(deadline, options.signal);
  const results: CheckResult[] = [];
  const base = {
    kind: 'replay',
    label: recording.label,
    version: options.version,
    startedAt,
    failOn: 'must',
    results,
  } as const;
  let close = async (): Promise<void> => undefined;
  try {
    const target = await authenticated(given, { ...options, ms: given.budgets.requestMs, signal });
    const facts = await findFacts(await openLink(target, options, signal), eraOfRecording(exchanges));
    close = async () => void (await Promise.allSettled(Object.values(facts.sessions).map((one) => one.close())));
    const session = facts.sessions.modern ?? facts.sessions.legacy;
    if (session === undefined) throw new Error('The server requires a token.');
    const compared = {
      session,
      ids: new Map<string, string>(),
      cursors: new Map<string, string>(),
      ignore: options.ignore ?? [],
      mask: secretMask(target),
    };
    for (const [index, exchange] of exchanges.filter(({ method }) => !OPENING.has(method)).entries()) {
      signal.throwIfAborted();
      results.push(await compareOne(exchange, index, compared));
    }
    return reportOf({
      ...base,
      durationMs: performance.now() - began,
      server: checkedServerOf(facts),
      transport: session.transport,
    });
  } catch (error) {
    return reportOf({ ...base, durationMs: performance.now() - began, trouble: troubleOf(error) });
  } finally {
    await close();
  }
};
