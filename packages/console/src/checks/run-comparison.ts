import type { CheckReport, CheckResult, CheckVerdict } from '@plugboard/contract';

export type Change = 'worse' | 'better' | 'different' | 'new' | 'missing';

/** A check whose verdict differs between two runs. */
export interface ComparedCheck {
  readonly id: string;
  readonly era: CheckResult['era'];
  readonly title: string;
  readonly before: CheckVerdict | undefined;
  readonly after: CheckVerdict | undefined;
  readonly change: Change;
  /** What the later run found. */
  readonly detail: string | undefined;
}

const RANK: Readonly<Record<CheckVerdict, number>> = {
  fail: 0,
  warn: 1,
  'not-verified': 2,
  'not-applicable': 3,
  pass: 3,
};

const changeOf = (before: CheckVerdict | undefined, after: CheckVerdict | undefined): Change => {
  if (before === undefined) return 'new';
  if (after === undefined) return 'missing';
  if (RANK[before] === RANK[after]) return 'different';
  return RANK[after] < RANK[before] ? 'worse' : 'better';
};

const keyOf = ({ id, era }: CheckResult): string => `${id} ${era}`;

const ORDER: readonly Change[] = ['worse', 'better', 'different', 'new', 'missing'];

/** What differs between two runs, what got worse first. */
export const comparedRuns = (
  before: Pick<CheckReport, 'results'>,
  after: Pick<CheckReport, 'results'>,
): readonly ComparedCheck[] => {
  const earlier = new Map(before.results.map((result) => [keyOf(result), result]));
  const later = new Map(after.results.map((result) => [keyOf(result), result]));
  return [...new Set([...later.keys(), ...earlier.keys()])]
    .flatMap((key): readonly ComparedCheck[] => {
      const [old, now] = [earlier.get(key), later.get(key)];
      const known = now ?? old;
      if (known === undefined || old?.verdict === now?.verdict) return [];
      return [
        {
          id: known.id,
          era: known.era,
          title: now?.problem ?? known.title,
          before: old?.verdict,
          after: now?.verdict,
          change: changeOf(old?.verdict, now?.verdict),
          detail: now?.detail,
        },
      ];
    })
    .sort((left, right) => ORDER.indexOf(left.change) - ORDER.indexOf(right.change) || (left.id < right.id ? -1 : 1));
};
