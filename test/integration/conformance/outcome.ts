/** What the official suite says of one scenario; see its `checks.json`. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface ScenarioOutcome {
  readonly name: string;
  /** Whether the revision requires it; the others are run and told, but never scored. */
  readonly required: boolean;
  /** Nothing when the scenario itself broke off. */
  readonly checks: readonly Check[];
}

export const scenarioPassed = ({ checks }: ScenarioOutcome): boolean =>
  checks.some(({ status }) => status === 'SUCCESS') && checks.every(({ status }) => status !== 'FAILURE');

export const requiredOf = (outcomes: readonly ScenarioOutcome[]): readonly ScenarioOutcome[] =>
  outcomes.filter(({ required }) => required);

/** `scenario: check (what was wrong)` for everything that failed. */
export const flawsOf = (outcomes: readonly ScenarioOutcome[]): readonly string[] =>
  outcomes
    .filter((outcome) => !scenarioPassed(outcome))
    .flatMap(({ name, checks }) => {
      const failures = checks.filter(({ status }) => status === 'FAILURE');
      if (failures.length === 0) return [`${name}: nothing was checked`];
      return failures.map(({ id, errorMessage }) => `${name}: ${id} (${errorMessage ?? 'no message'})`);
    });

/** `scenario/check` for every check that succeeded each time it was made. */
export const passedChecks = (outcomes: readonly ScenarioOutcome[]): ReadonlySet<string> => {
  const named = outcomes.flatMap(({ name, checks }) =>
    checks.map(({ id, status }) => ({ id: `${name}/${id}`, status })),
  );
  const failed = new Set(named.filter(({ status }) => status === 'FAILURE').map(({ id }) => id));
  return new Set(named.filter(({ id, status }) => status === 'SUCCESS' && !failed.has(id)).map(({ id }) => id));
};

/** Found without the hub, and not through it. */
export const lostChecks = (direct: ReadonlySet<string>, through: ReadonlySet<string>): readonly string[] =>
  [...direct].filter((id) => !through.has(id));
