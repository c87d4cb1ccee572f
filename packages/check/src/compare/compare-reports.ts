import type { CheckReport, CheckResult, CheckVerdict } from '@plugboard/contract';

/** How the verdict of a check changed between two runs. */
export interface CheckChange {
  readonly id: string;
  readonly era: CheckResult['era'];
  readonly title: string;
  readonly kind: 'broken' | 'fixed' | 'appeared' | 'gone' | 'changed';
  readonly before: CheckVerdict | undefined;
  readonly after: CheckVerdict | undefined;
  readonly detail: string | undefined;
}

const isBad = (verdict: CheckVerdict): boolean => verdict === 'fail' || verdict === 'warn';

const kindOf = (before: CheckVerdict | undefined, after: CheckVerdict | undefined): CheckChange['kind'] => {
  if (before === undefined) return 'appeared';
  if (after === undefined) return 'gone';
  if (after === 'fail' || (isBad(after) && !isBad(before))) return 'broken';
  return before === 'fail' || (isBad(before) && after === 'pass') ? 'fixed' : 'changed';
};

const keyOf = ({ id, era }: CheckResult): string => `${id}@${era}`;

/** What differs between two runs, in the order of the later one. */
export const compareReports = (before: CheckReport, after: CheckReport): readonly CheckChange[] => {
  const earlier = new Map(before.results.map((result) => [keyOf(result), result]));
  const later = new Map(after.results.map((result) => [keyOf(result), result]));
  const both = new Map([...later, ...[...earlier].filter(([key]) => !later.has(key))]);
  return [...both].flatMap(([key, { id, era, title }]) => {
    const [old, recent] = [earlier.get(key), later.get(key)];
    if (old?.verdict === recent?.verdict) return [];
    const kind = kindOf(old?.verdict, recent?.verdict);
    return [{ id, era, title, kind, before: old?.verdict, after: recent?.verdict, detail: recent?.detail }];
  });
};

/** Whether the later run is worse: something broke, or a failure appeared. */
export const isWorse = (changes: readonly CheckChange[]): boolean =>
  changes.some(({ kind, after }) => kind === 'broken' || (kind === 'appeared' && after === 'fail'));
