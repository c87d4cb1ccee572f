import type { CheckResult } from '@plugboard/contract';

export interface BaselineOutcome {
  readonly results: readonly CheckResult[];
  /** Entries for which nothing fails any more. */
  readonly stale: readonly string[];
}

const isFinding = ({ verdict }: CheckResult): boolean => verdict === 'fail' || verdict === 'warn';

const covers = (entry: string, { id, era }: CheckResult): boolean => entry === id || entry === `${id}@${era}`;

/** Marks the findings that are known. An entry is stale when its check was judged and found nothing. */
export const applyBaseline = (results: readonly CheckResult[], baseline: readonly string[]): BaselineOutcome => ({
  results: results.map((result) =>
    isFinding(result) && baseline.some((entry) => covers(entry, result)) ? { ...result, expected: true } : result,
  ),
  stale: baseline.filter((entry) => !results.some((result) => isFinding(result) && covers(entry, result))),
});
