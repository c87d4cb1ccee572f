import type { CheckCall, CheckReport, CheckResult, CheckVerdict } from '@plugboard/contract';
import { byReason, callGroups, callWords } from './calls.js';
import { byFamily, isFinding, OUTCOMES, percent, seconds, subject, VERDICT_ORDER, VERDICTS } from './words.js';

export type LineTone = 'good' | 'fair' | 'bad' | 'dim' | 'plain';

export interface ReportLine {
  readonly indent: number;
  readonly tone: LineTone;
  readonly text: string;
}

export interface TerminalOptions {
  /** Every result with its evidence, instead of what fits a screen. */
  readonly verbose?: boolean;
  /** How many findings are told of before the rest is only counted. */
  readonly findings?: number;
}

const TONES: Readonly<Record<CheckVerdict, LineTone>> = {
  fail: 'bad',
  warn: 'fair',
  'not-verified': 'fair',
  pass: 'good',
  'not-applicable': 'dim',
};

const line = (text: string, tone: LineTone = 'plain', indent = 0): ReportLine => ({ indent, tone, text });

const eraOf = ({ era }: CheckResult): string => (era === 'both' ? 'both eras' : era);

const headline = (result: CheckResult): ReportLine => {
  const known = result.expected === true ? ', in the baseline' : '';
  const text = `${VERDICTS[result.verdict].glyph} ${result.id} ${result.title} (${result.level}, ${eraOf(result)}${known})`;
  return line(text, TONES[result.verdict]);
};

const brief = (result: CheckResult): readonly ReportLine[] => [
  headline(result),
  ...(result.detail === undefined ? [] : [line(result.detail, 'plain', 2)]),
  ...(result.supply === undefined ? [] : [line(`to supply: ${result.supply}`, 'dim', 2)]),
  ...(result.evidence?.reproduce === undefined ? [] : [line(result.evidence.reproduce, 'dim', 2)]),
];

const whole = (result: CheckResult): readonly ReportLine[] => {
  const { evidence } = result;
  if (evidence === undefined) return brief(result);
  return [
    ...brief(result),
    line(`expected: ${evidence.expected}`, 'plain', 2),
    ...(evidence.sent === '' ? [] : [line(`sent: ${evidence.sent}`, 'dim', 2)]),
    ...(evidence.received === '' ? [] : [line(`received: ${evidence.received}`, 'dim', 2)]),
    line(`“${result.source.sentence}” ${result.source.url}`, 'dim', 2),
    line(result.remedy, 'plain', 2),
  ];
};

const familyLine = (family: string, results: readonly CheckResult[]): ReportLine => {
  const counts = VERDICT_ORDER.map(
    (verdict) => [verdict, results.filter((one) => one.verdict === verdict).length] as const,
  );
  const words = counts
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${VERDICTS[verdict].label}`);
  const worst = counts.find(([, count]) => count > 0)?.[0] ?? 'pass';
  return line(`${family.padEnd(18)} ${words.join(', ')}`, worst === 'not-applicable' ? 'dim' : TONES[worst]);
};

const verdictLine = ({
  summary,
  outcome,
  reason,
  durationMs,
  seed,
  tier,
  plan,
}: CheckReport): readonly ReportLine[] => {
  const tone = outcome === 'passed' ? 'good' : outcome === 'failed' ? 'bad' : 'fair';
  const counts = [
    `${summary.pass} passed`,
    `${summary.fail} failed`,
    `${summary.warn} warned`,
    `${summary.notVerified} not verified`,
    `${summary.notApplicable} not applicable`,
  ];
  if (plan !== undefined) return [line(reason ?? 'Dry run.', 'plain'), line(`tier ${tier}, seed ${seed}`, 'dim')];
  return [
    line(`${OUTCOMES[outcome]}: ${counts.join(', ')}${summary.rate === null ? '' : ` – ${percent(summary)}`}`, tone),
    ...(reason === undefined ? [] : [line(reason, 'plain')]),
    line(`${seconds(durationMs)}, tier ${tier}, seed ${seed}`, 'dim'),
  ];
};

const NAMES_SHOWN = 6;

const named = (calls: readonly CheckCall[], all: boolean): string => {
  const shown = all ? calls : calls.slice(0, NAMES_SHOWN);
  const rest = calls.length - shown.length;
  return [...shown.map(callWords), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
};

/** What was called, and what was not and why: those with the same reason in one line. */
const callLinesOf = (report: CheckReport, all: boolean): readonly ReportLine[] =>
  callGroups(report).flatMap(({ title, calls }) => [
    line(`${title}:`),
    ...[...byReason(calls)].map(([why, own]) => line(`${named(own, all)}. ${why}`, 'dim', 2)),
  ]);

const planLines = ({ plan = [] }: CheckReport): readonly ReportLine[] => {
  if (plan.length === 0) return [];
  const runs = plan.filter(({ why }) => why === undefined);
  const families = [...new Set(runs.map(({ family }) => family))];
  return [
    line(`Would run: ${runs.length} checks; ${plan.length - runs.length} do not apply or cannot be verified.`),
    ...families.map((family) =>
      line(
        `${family.padEnd(18)} ${runs
          .filter((one) => one.family === family)
          .map(({ id, era }) => `${id}@${era}`)
          .join(' ')}`,
        'dim',
        2,
      ),
    ),
  ];
};

const FINDINGS_SHOWN = 6;

/** The report for a terminal: what fits a screen, or everything. */
export const terminalLines = (report: CheckReport, options: TerminalOptions = {}): readonly ReportLine[] => {
  const { results, staleBaseline } = report;
  const grave = [
    ...results.filter(({ verdict, expected }) => verdict === 'fail' && expected !== true),
    ...results.filter((result) => isFinding(result) && (result.verdict === 'warn' || result.expected === true)),
  ];
  const shown =
    options.verbose === true
      ? results.filter((result) => result.verdict !== 'not-applicable')
      : grave.slice(0, options.findings ?? FINDINGS_SHOWN);
  const rest = options.verbose === true ? 0 : grave.length - shown.length;
  return [
    line(subject(report)),
    ...shown.flatMap(options.verbose === true ? whole : brief),
    ...(rest > 0 ? [line(`… and ${rest} more (--verbose shows all)`, 'dim')] : []),
    line(''),
    ...[...byFamily(results)].map(([family, own]) => familyLine(family, own)),
    ...planLines(report),
    ...callLinesOf(report, options.verbose === true || report.plan !== undefined),
    ...staleBaseline.map((entry) =>
      line(`The baseline names ${entry}, which does not fail any more: remove it.`, 'bad'),
    ),
    line(''),
    ...verdictLine(report),
  ];
};
