import { EXIT, type CheckedServer, type CheckReport, type CheckResult, type ExitCode } from '@plugboard/contract';
import { Unreachable } from '../connection/no-answer.js';
import { exitCodeOf, failsRun, summarise } from '../run/summary.js';

/** The outcome of an examination outside the catalogue of checks. */
export interface Examination {
  readonly kind: NonNullable<CheckReport['kind']>;
  readonly label: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly failOn: CheckReport['failOn'];
  readonly results: readonly CheckResult[];
  readonly server?: CheckedServer | undefined;
  readonly transport?: CheckResult['transport'] | undefined;
  /** Why it could not be carried out, or not completely. */
  readonly trouble?: { readonly outcome: 'unreachable' | 'not-examined'; readonly reason: string } | undefined;
}

const judged = ({ results, failOn }: Examination): CheckReport['outcome'] => {
  if (results.some((result) => failsRun(result, failOn))) return 'failed';
  return results.some(({ verdict }) => verdict === 'not-verified') ? 'incomplete' : 'passed';
};

/** The same report as that of a run of checks, so that every reporter can write it. */
export const reportOf = (examination: Examination): CheckReport => {
  const { kind, label, version, startedAt, durationMs, failOn, results, server, transport, trouble } = examination;
  const summary = summarise(results);
  return {
    format: 'plugboard.check/1',
    kind,
    version,
    target: { label, ...(transport === undefined ? {} : { transport }) },
    ...(server === undefined ? {} : { server }),
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(durationMs),
    seed: 0,
    tier: 'standard',
    failOn,
    results: [...results],
    summary: trouble === undefined ? summary : { ...summary, rate: null },
    staleBaseline: [],
    outcome: trouble?.outcome ?? judged(examination),
    ...(trouble === undefined ? {} : { reason: trouble.reason }),
  };
};

/** What an error means for the outcome: nothing answers there, or it could not be examined. */
export const troubleOf = (error: unknown): NonNullable<Examination['trouble']> => ({
  outcome: error instanceof Unreachable ? 'unreachable' : 'not-examined',
  reason: error instanceof Error ? error.message : String(error),
});

/** The exit code of such a report; a failure counts more than a part that could not be examined. */
export const examinationExit = (report: CheckReport): ExitCode =>
  report.results.some((result) => failsRun(result, report.failOn)) ? EXIT.failed : exitCodeOf(report);
