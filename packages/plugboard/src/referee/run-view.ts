import type { CheckReport, CheckResult, CheckRun, CheckRunEvent } from '@plugboard/contract';

const finishedAt = ({ startedAt, durationMs }: CheckReport): string =>
  new Date(Date.parse(startedAt) + durationMs).toISOString();

/** A run that has ended, as its report tells it. */
export const viewOfReport = (id: string, report: CheckReport): CheckRun => ({
  id,
  state: 'finished',
  target: report.target,
  tier: report.tier,
  created_at: report.startedAt,
  finished_at: finishedAt(report),
  done: report.results.length,
  ...(report.server === undefined ? {} : { planned: report.results.length }),
  outcome: report.outcome,
  ...(report.reason === undefined ? {} : { reason: report.reason }),
  summary: report.summary,
});

export const judgedEvent = (
  result: CheckResult,
  facts: { readonly at: string; readonly run_id: string; readonly done: number; readonly planned: number },
): CheckRunEvent => ({
  event: 'check_judged',
  ...facts,
  id: result.id,
  era: result.era,
  level: result.level,
  verdict: result.verdict,
  ...(result.detail === undefined ? {} : { detail: result.detail }),
});

/** The events of a run that ended before this hub began, as far as its report remembers them. */
export const eventsOfReport = (id: string, report: CheckReport): readonly CheckRunEvent[] => {
  const { results, server, startedAt } = report;
  const at = { at: startedAt, run_id: id };
  const planned = results.length;
  const later = { at: finishedAt(report), run_id: id };
  return [
    { event: 'check_run_queued', ...at, label: report.target.label },
    { event: 'check_run_started', ...at },
    ...(server === undefined ? [] : [{ event: 'check_run_reached' as const, ...at, server, planned }]),
    ...results.map((result, index) => judgedEvent(result, { ...later, done: index + 1, planned })),
    { event: 'check_run_finished', ...later, run: viewOfReport(id, report) },
  ];
};

/** The events of a run whose process ended before it did; what was judged is not known. */
export const eventsOfInterrupted = (run: CheckRun): readonly CheckRunEvent[] => {
  const at = { at: run.created_at, run_id: run.id };
  return [
    { event: 'check_run_queued', ...at, label: run.target.label },
    { event: 'check_run_finished', ...at, run },
  ];
};
