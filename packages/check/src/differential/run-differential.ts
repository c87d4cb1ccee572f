import type { CheckEra, CheckResult, CheckEvidence } from '@plugboard/contract';
import { NoAnswer } from '../connection/no-answer.js';
import { RunProbe } from '../probe/run-probe.js';
import type { RunState } from '../probe/run-state.js';
import { reproducer } from '../reproduce/reproducer.js';
import { openSession } from '../session/open-session.js';
import { secretMask, type Mask } from '../target/mask-secrets.js';
import type { PlaceOptions } from '../locate/place.js';
import type { CheckTarget } from '../target/target.js';
import { inWords } from './difference.js';
import type { Comparison, DifferentialCheck } from './differential-check.js';
import { erasToCompare, openOtherSide } from './other-side.js';
import { eraOfPair, type Pair } from './pair.js';

const SHOWN = 5;
const MAX_TRANSCRIPT = 60;

/** The pair of a try, from 0. */
type PairOf = (attempt: number) => Promise<Pair>;

interface Sides {
  readonly here: RunState;
  readonly there: RunState;
  readonly mask: Mask;
}

const compare = async (check: DifferentialCheck, pair: Pair): Promise<Comparison> => {
  try {
    return await check.compare(pair);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const supply = thrown instanceof NoAnswer ? 'tools that answer in time' : 'connections that stay up';
    return { kind: 'not-verified', detail: `The comparison could not be carried out: ${why}`, supply };
  }
};

const evidenceOf = (
  comparison: Extract<Comparison, { kind: 'different' }>,
  { here, there, mask }: Sides,
  from: number,
): CheckEvidence => {
  const [one, other] = comparison.exchanges ?? [];
  const lines = [
    one === undefined ? undefined : reproducer(one, here.link.place),
    other === undefined ? undefined : reproducer(other, there.link.place),
  ].filter((line) => line !== undefined);
  const connections = new Set([one, other].flatMap((exchange) => exchange?.connection ?? []));
  const carried = here.link.transcript.since(from, connections).slice(-MAX_TRANSCRIPT);
  return {
    sent: mask(one?.sent ?? ''),
    received: mask(one === undefined ? '' : `Here:\n${one.received}\n\nThere:\n${other?.received ?? ''}`),
    expected: 'the same on both connections',
    ...(lines.length === 0 ? {} : { reproduce: mask(lines.join('; echo; ')) }),
    transcript: carried.map((entry) => ({ ...entry, text: mask(entry.text) })),
  };
};

const detailOf = (comparison: Comparison): string | undefined => {
  if (comparison.kind !== 'different') return comparison.detail;
  const { differences } = comparison;
  const more = differences.length > SHOWN ? ` ${differences.length - SHOWN} more.` : '';
  return differences.slice(0, SHOWN).map(inWords).join(' ') + more;
};

const verdictOf = ({ kind }: Comparison, { level }: DifferentialCheck): CheckResult['verdict'] => {
  switch (kind) {
    case 'same':
      return 'pass';
    case 'different':
      return level === 'MUST' ? 'fail' : 'warn';
    case 'not-applicable':
    case 'not-verified':
      return kind;
    default:
      return kind satisfies never;
  }
};

/** A comparison that found something, and the try that did. */
interface Compared {
  readonly comparison: Comparison;
  /** Whether the second try found no difference. */
  readonly isUnsteady: boolean;
}

/** Two ways differ only when they differ twice: the second time nothing is known from the first. */
const compareTwice = async (check: DifferentialCheck, pairOf: PairOf): Promise<Compared> => {
  const comparison = await compare(check, await pairOf(0));
  if (comparison.kind !== 'different') return { comparison, isUnsteady: false };
  const second = await compare(check, await pairOf(1));
  return second.kind === 'different' ? { comparison: second, isUnsteady: false } : { comparison, isUnsteady: true };
};

const resultOf = async (check: DifferentialCheck, pairOf: PairOf, sides: Sides): Promise<CheckResult | undefined> => {
  const started = performance.now();
  const from = sides.here.link.transcript.length;
  const { comparison, isUnsteady } = await compareTwice(check, pairOf);
  if (sides.here.link.signal.aborted) return undefined;
  const pair = await pairOf(0);
  const told = detailOf(comparison);
  const detail = isUnsteady ? `Not at every try: ${told ?? ''}` : told;
  const { id, title, level, source, remedy } = check;
  return {
    id,
    title,
    family: 'differential',
    level,
    tier: 'smoke',
    transport: sides.here.link.place.transport,
    era: eraOfPair(pair),
    verdict: isUnsteady ? 'warn' : verdictOf(comparison, check),
    ...(detail === undefined ? {} : { detail: sides.mask(detail) }),
    ...(comparison.kind === 'not-verified' ? { supply: comparison.supply } : {}),
    source,
    remedy,
    ...(comparison.kind === 'different' ? { evidence: evidenceOf(comparison, sides, from) } : {}),
    durationMs: Math.round(performance.now() - started),
  };
};

interface DifferentialOptions extends PlaceOptions {
  readonly checks: readonly DifferentialCheck[];
  readonly secrets?: readonly string[] | undefined;
  readonly onResult: (result: CheckResult) => void;
}

const compareIn = async (
  [here, there]: ReturnType<typeof erasToCompare>[number],
  sides: Sides,
  options: DifferentialOptions & { readonly differential: NonNullable<CheckTarget['differential']> },
): Promise<readonly CheckResult[]> => {
  const { signal } = sides.here.link;
  const { prefix = '', permit } = options.differential;
  const probes: RunProbe[] = [];
  const probe = async (run: RunState, era: CheckEra, attempt: number): Promise<RunProbe> => {
    if (attempt > 0) await run.memories.session(attempt, era, () => openSession(run.link, { era }));
    const made = new RunProbe(run, era, signal, { attempt });
    probes.push(made);
    return made;
  };
  const pairs = new Map<number, Promise<Pair>>();
  const open = async (attempt: number): Promise<Pair> => ({
    one: await probe(sides.here, here, attempt),
    other: await probe(sides.there, there, attempt),
    prefix,
    permit,
  });
  const pairOf: PairOf = (attempt) => {
    const pair = pairs.get(attempt) ?? open(attempt);
    pairs.set(attempt, pair);
    return pair;
  };
  const results: CheckResult[] = [];
  try {
    for (const check of options.checks) {
      if (signal.aborted) break;
      const result = await resultOf(check, pairOf, sides);
      if (result === undefined) break;
      results.push(result);
      options.onResult(result);
    }
  } finally {
    await Promise.all(probes.map((one) => one.release()));
  }
  return results;
};

/** Asks the same of two ways to a server, and tells in what they differ. */
export const runDifferential = async (
  here: RunState,
  differential: NonNullable<CheckTarget['differential']>,
  options: DifferentialOptions,
): Promise<readonly CheckResult[]> => {
  const there = await openOtherSide(here, differential, options);
  here.ledger.allowMore();
  try {
    const hide = secretMask(there.target, options.secrets);
    const sides: Sides = { here, there, mask: (text) => hide(here.mask(text)) };
    const results: CheckResult[] = [];
    for (const eras of erasToCompare(erasHere(here, differential), there.facts.eras)) {
      results.push(...(await compareIn(eras, sides, { ...options, differential })));
    }
    return results;
  } finally {
    await Promise.allSettled([
      there.memories.close(),
      ...Object.values(there.facts.sessions).map((session) => session.close()),
    ]);
  }
};

/** Against itself in one era a server is compared in the other; else in every era that it speaks. */
const erasHere = ({ facts }: RunState, { url, command, era }: NonNullable<CheckTarget['differential']>) => {
  const isItself = url === undefined && command === undefined;
  return isItself && era !== undefined ? facts.eras.filter((one) => one !== era) : facts.eras;
};
