interface ProbeOutcome {
  readonly at: number;
  readonly ok: boolean;
}

const HOUR = 3_600_000;

/** At these rates a budget of 30 days is gone in two and in five days; both are worth waking somebody for. */
const FAST_BURN = 14.4;
const SLOW_BURN = 6;
/** Fewer probes prove nothing. */
const LEAST_PROBES = 5;

/** How many times faster than allowed failures come; null without probes. */
const burnOf = (outcomes: readonly ProbeOutcome[], objective: number): number | null => {
  if (outcomes.length === 0) return null;
  return outcomes.filter(({ ok }) => !ok).length / outcomes.length / (1 - objective);
};

export interface ErrorBudget {
  readonly availability: number | null;
  readonly burn: { readonly hour: number | null; readonly six_hours: number | null };
  /** Share of the budget of the window that is left. */
  readonly left: number | null;
  /** The budget is used up so fast that somebody should look. */
  readonly alarming: boolean;
}

/** What the outcomes of probes leave of the error budget. */
export const errorBudget = (outcomes: readonly ProbeOutcome[], objective: number, now: number): ErrorBudget => {
  const since = (ms: number): readonly ProbeOutcome[] => outcomes.filter(({ at }) => at >= now - ms);
  const [hour, sixHours] = [since(HOUR), since(6 * HOUR)];
  const whole = burnOf(outcomes, objective);
  const burn = { hour: burnOf(hour, objective), six_hours: burnOf(sixHours, objective) };
  return {
    availability: outcomes.length === 0 ? null : outcomes.filter(({ ok }) => ok).length / outcomes.length,
    burn,
    left: whole === null ? null : 1 - whole,
    alarming:
      (hour.length >= LEAST_PROBES && (burn.hour ?? 0) >= FAST_BURN) ||
      (sixHours.length >= LEAST_PROBES && (burn.six_hours ?? 0) >= SLOW_BURN),
  };
};
