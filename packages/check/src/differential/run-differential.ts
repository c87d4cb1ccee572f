import type { CheckResult, CheckEvidence } from '@plugboard/contract';
import { NoAnswer } from '../connection/no-answer.js';
import { RunProbe, type RunState } from '../probe/run-probe.js';
import { reproducer } from '../reproduce/reproducer.js';
import { secretMask, type Mask } from '../target/mask-secrets.js';
import type { PlaceOptions } from '../place/place.js';
import type { CheckTarget } from '../target/target.js';
import { inWords } from './difference.js';
import type { Comparison, DifferentialCheck } from './differential-check.js';
import { erasToCompare, openOtherSide } from './other-side.js';
import { eraOfPair, type Pair } from './pair.js';

const SHOWN = 5;
const MAX_TRANSCRIPT = 60;

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
    expected: 'the same on both ways',
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

const resultOf = async (check: DifferentialCheck, pair: Pair, sides: Sides): Promise<CheckResult> => {
  const started = performance.now();
  const from = sides.here.link.transcript.length;
  const comparison = await compare(check, pair);
  const detail = detailOf(comparison);
  const { id, title, level, source, remedy } = check;
  return {
    id,
    title,
    family: 'differential',
    level,
    tier: 'smoke',
    transport: sides.here.link.place.transport,
    era: eraOfPair(pair),
    verdict: verdictOf(comparison, check),
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
  const one = new RunProbe(sides.here, here, signal);
  const other = new RunProbe(sides.there, there, signal);
  const results: CheckResult[] = [];
  try {
    for (const check of options.checks) {
      if (signal.aborted) break;
      const result = await resultOf(check, { one, other, prefix, permit }, sides);
      results.push(result);
      options.onResult(result);
    }
  } finally {
    await one.release();
    await other.release();
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
  try {
    const hide = secretMask(there.target, options.secrets);
    const sides: Sides = { here, there, mask: (text) => hide(here.mask(text)) };
    const results: CheckResult[] = [];
    for (const eras of erasToCompare(erasHere(here, differential), there.facts.eras)) {
      results.push(...(await compareIn(eras, sides, { ...options, differential })));
    }
    return results;
  } finally {
    await Promise.allSettled(Object.values(there.facts.sessions).map((session) => session.close()));
  }
};

/** Against itself in one era a server is compared in the other; else in every era that it speaks. */
const erasHere = ({ facts }: RunState, { url, command, era }: NonNullable<CheckTarget['differential']>) => {
  const isItself = url === undefined && command === undefined;
  return isItself && era !== undefined ? facts.eras.filter((one) => one !== era) : facts.eras;
};
