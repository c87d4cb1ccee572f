import type { CheckCall, CheckReport, CheckResult, CheckVerdict } from '@plugboard/contract';
import { byReason, callGroups, callWords } from './words/calls.js';
import {
  byFamily,
  gravestFirst,
  headlineOf,
  isFinding,
  measured,
  OUTCOMES,
  percent,
  qualifiers,
  settingsOf,
  subject,
  timeOf,
  VERDICT_ORDER,
  VERDICTS,
} from './words/verdict-text.js';

export type LineTone = 'good' | 'fair' | 'bad' | 'dim' | 'plain';

export interface ReportLine {
  readonly indent: number;
  readonly tone: LineTone;
  readonly text: string;
  /** A command or an address that is to be copied: breaking it would change it. */
  readonly unbroken?: boolean;
}

export interface TerminalOptions {
  /** Every result with its evidence, instead of what fits a screen. */
  readonly verbose?: boolean;
}

const TONES: Readonly<Record<CheckVerdict, LineTone>> = {
  fail: 'bad',
  warn: 'fair',
  'not-verified': 'fair',
  pass: 'good',
  'not-applicable': 'dim',
};

const line = (text: string, tone: LineTone = 'plain', indent = 0): ReportLine => ({ indent, tone, text });

const headline = (result: CheckResult): ReportLine => {
  const known = result.expected === true ? ', in the baseline' : '';
  const text = `${VERDICTS[result.verdict].glyph} ${result.id} ${headlineOf(result)} (${qualifiers(result)}${known})`;
  return line(text, TONES[result.verdict]);
};

const field = (name: string, text: string | undefined, tone: LineTone = 'plain'): readonly ReportLine[] =>
  text === undefined || text === '' ? [] : [line(`${`${name}:`.padEnd(10)}${text}`, tone, 2)];

/** What is copied into a shell or a browser, on a line of its own. */
const toCopy = (name: string, text: string | undefined): readonly ReportLine[] =>
  text === undefined || text === '' ? [] : [line(`${name}:`, 'plain', 2), { ...line(text, 'dim', 2), unbroken: true }];

/** How many failures are told in full; the rest by their headlines. */
const IN_FULL = 10;

/** A finding as the author of the server needs it: what should have come, what came, how to see it again and end it. */
const finding = (result: CheckResult): readonly ReportLine[] => [
  headline(result),
  ...field('expected', result.evidence?.expected),
  ...field('got', result.detail),
  ...field('fix', result.remedy),
  ...field('text', `“${result.source.sentence}”`, 'dim'),
  { ...line(`          ${result.source.url}`, 'dim', 2), unbroken: true },
  ...toCopy('repeat it with', result.evidence?.reproduce),
];

const whole = (result: CheckResult): readonly ReportLine[] => {
  const { evidence } = result;
  if (!isFinding(result)) {
    return [headline(result), ...field('why', result.detail), ...field('supply', result.supply, 'dim')];
  }
  return [...finding(result), ...toCopy('sent', evidence?.sent), ...toCopy('received', evidence?.received)];
};

/** Warnings of one check, whatever the era, in one line. */
const warnings = (results: readonly CheckResult[]): readonly ReportLine[] => {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results) groups.set(result.id, [...(groups.get(result.id) ?? []), result]);
  if (groups.size === 0) return [];
  const lines = [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const known = first.expected === true ? ', in the baseline' : '';
    return [line(`! ${first.id} ${headlineOf(first)} (${qualifiers(first, ...others)}${known})`, 'fair', 2)];
  });
  return [
    line(`${groups.size} ${groups.size === 1 ? 'warning' : 'warnings'}; --verbose shows each in full:`, 'fair'),
    ...lines,
  ];
};

const IDS_SHOWN = 12;
const NAMES_SHOWN = 6;

/** The first of them, and how many there are besides. */
const someOf = (names: readonly string[], most: number): string => {
  const rest = names.length - most;
  return rest <= 1 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${rest} more`;
};

/** What could not be verified, by what it needs. */
const needs = (results: readonly CheckResult[]): readonly ReportLine[] => {
  const groups = new Map<string, Set<string>>();
  for (const { id, supply = 'nothing: this server offers nothing that they apply to' } of results) {
    groups.set(supply, (groups.get(supply) ?? new Set()).add(id));
  }
  if (groups.size === 0) return [];
  return [
    line('Not verified. To have these judged, supply:', 'fair'),
    ...[...groups].map(([supply, ids]) => line(`${supply} (${someOf([...ids], IDS_SHOWN)})`, 'dim', 2)),
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

/** One line for each family that was judged, and one for all that do not apply. */
const familyLines = (results: readonly CheckResult[]): readonly ReportLine[] => {
  const families = [...byFamily(results)];
  const isIdle = (own: readonly CheckResult[]): boolean => own.every(({ verdict }) => verdict === 'not-applicable');
  const idle = families.filter(([, own]) => isIdle(own)).map(([family]) => family);
  return [
    ...families.filter(([, own]) => !isIdle(own)).map(([family, own]) => familyLine(family, own)),
    ...(idle.length === 0 ? [] : [line(`${'not applicable'.padEnd(18)} ${idle.join(', ')}`, 'dim')]),
  ];
};

const verdictLine = (report: CheckReport): readonly ReportLine[] => {
  const { summary, outcome, reason, plan } = report;
  const tone = outcome === 'passed' ? 'good' : outcome === 'failed' ? 'bad' : 'fair';
  const counts = [
    `${summary.pass} passed`,
    `${summary.fail} failed`,
    `${summary.warn} warned`,
    `${summary.notVerified} not verified`,
    `${summary.notApplicable} not applicable`,
  ];
  if (plan !== undefined) return [line(reason ?? 'Dry run.', 'plain'), line(settingsOf(report).join(', '), 'dim')];
  // Of a run that came to no check there is nothing to count.
  const counted = summary.total === 0 ? '' : `: ${counts.join(', ')}`;
  return [
    line(`${OUTCOMES[outcome]}${counted}${summary.rate === null ? '' : ` – ${percent(summary)}`}`, tone),
    ...(reason === undefined ? [] : [line(reason, 'plain')]),
    line([timeOf(report), ...settingsOf(report)].join(', '), 'dim'),
  ];
};

const ALLOW_HINT = ` (allow a tool with --allow name, or --allow 'name={"key":"value"}')`;

const isForbiddenTool = ({ kind, may }: CheckCall): boolean => kind === 'tool' && !may;

/** Everything that was called, and what was not and why: those with the same reason in one line. */
const callLinesOf = (report: CheckReport, all: boolean): readonly ReportLine[] =>
  callGroups(report).flatMap(({ title, calls }) => [
    line(`${title}${calls.some(isForbiddenTool) ? ALLOW_HINT : ''}:`),
    ...[...byReason(calls)].map(([why, own]) => {
      const most = all || own.some(({ calls: count }) => count > 0) ? own.length : NAMES_SHOWN;
      return line(`${someOf(own.map(callWords), most)}: ${why}`, 'dim', 2);
    }),
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

/** The report for a terminal: what fits a screen, or everything. */
export const terminalLines = (report: CheckReport, options: TerminalOptions = {}): readonly ReportLine[] => {
  const { results, staleBaseline } = report;
  const failures = results.filter(({ verdict, expected }) => verdict === 'fail' && expected !== true);
  const others = results.filter((result) => isFinding(result) && !failures.includes(result));
  const shown =
    options.verbose === true
      ? gravestFirst(results.filter((result) => result.verdict !== 'not-applicable')).flatMap(whole)
      : [
          ...failures.slice(0, IN_FULL).flatMap(finding),
          ...failures.slice(IN_FULL).map(headline),
          ...(failures.length > IN_FULL ? [line('--verbose shows the rest of them in full.', 'dim')] : []),
          ...measured(report).flatMap((result) => [headline(result), ...field('got', result.detail)]),
          ...warnings(others),
          ...needs(results.filter(({ verdict }) => verdict === 'not-verified')),
        ];
  return [
    line(subject(report)),
    ...shown,
    ...(shown.length === 0 ? [] : [line('')]),
    ...familyLines(results),
    ...planLines(report),
    ...callLinesOf(report, options.verbose === true || report.plan !== undefined),
    ...staleBaseline.map((entry) => line(`The baseline names ${entry}, which no longer fails: remove it.`, 'bad')),
    line(''),
    ...verdictLine(report),
  ];
};
