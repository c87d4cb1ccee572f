import type { GradeStatus, ProviderVerdict } from '@plugboard/contract';
import type { LintFinding } from '../lint/rule/lint-rule.js';
import type { LintReport, ProviderSummary, ToolReport } from './lint-report.js';

export type Tone = 'good' | 'fair' | 'bad' | 'plain' | 'dim';

/** One line for a terminal; the printer chooses the colours. */
export interface ReportLine {
  readonly indent: number;
  readonly tone: Tone;
  readonly text: string;
}

export interface ReportLinesOptions {
  /** Also what is only advice, and what was rewritten. */
  readonly verbose?: boolean | undefined;
}

const GRADE_TONES: Readonly<Record<GradeStatus, Tone>> = {
  STRICT_COMPLIANT: 'good',
  NON_STRICT_ONLY: 'fair',
  INVALID: 'bad',
};

const line = (indent: number, tone: Tone, text: string): ReportLine => ({ indent, tone, text });

const findingLine = ({ rule, level, message }: LintFinding): ReportLine =>
  line(1, level === 'error' ? 'bad' : level === 'warning' ? 'fair' : 'dim', `${rule} ${message}`);

const verdictText = (id: string, verdict: ProviderVerdict): readonly [Tone, string] => {
  switch (verdict.verdict) {
    case 'ok':
      return ['good', `${id}: ok`];
    case 'rewritten':
      return ['fair', `${id}: rewritten${verdict.lossless ? '' : ', lossy'}`];
    case 'rejected':
      return ['bad', `${id}: rejected. ${verdict.reasons[0]?.message ?? ''}`];
    default:
      return verdict satisfies never;
  }
};

/** What was rewritten, where, and what a reader loses by it. */
const changeLines = (verdict: ProviderVerdict, verbose: boolean): readonly ReportLine[] =>
  verbose && verdict.verdict === 'rewritten'
    ? verdict.changes.map(({ pointer, message }) => line(2, 'dim', `${pointer === '' ? '' : `${pointer}: `}${message}`))
    : [];

const toolLines = ({ name, grade, providers, lint, tokens }: ToolReport, verbose: boolean): readonly ReportLine[] => [
  line(0, GRADE_TONES[grade.status], `${name}  ${grade.status}  about ${tokens} tokens`),
  ...(verbose || grade.status === 'INVALID' ? grade.reasons : []).map(({ rule, pointer, message }) =>
    line(1, grade.status === 'INVALID' ? 'bad' : 'dim', `${rule} ${pointer === '' ? '' : `${pointer}: `}${message}`),
  ),
  ...lint.filter(({ level }) => verbose || level !== 'advice').map(findingLine),
  ...Object.entries(providers)
    .filter(([, { verdict }]) => verbose || verdict === 'rejected')
    .flatMap(([id, verdict]) => [line(1, ...verdictText(id, verdict)), ...changeLines(verdict, verbose)]),
];

const providerLine = (id: string, summary: ProviderSummary, width: number): ReportLine => {
  const { ok, rewritten, lossless, rejected, verdict } = summary;
  const tone: Tone = verdict === 'ok' ? 'good' : verdict === 'rewritten' ? 'fair' : 'bad';
  return line(
    1,
    tone,
    `${id.padEnd(width)}  ${ok} ok, ${rewritten} rewritten (${lossless} lossless), ${rejected} rejected`,
  );
};

const summaryLines = ({ summary }: LintReport): readonly ReportLine[] => {
  const width = Math.max(0, ...Object.keys(summary.providers).map((id) => id.length));
  const { error, warning, advice } = summary.lint;
  return [
    line(0, 'plain', `${summary.tools} tools, about ${summary.tokens} tokens`),
    ...Object.entries(summary.grades).map(([status, number]) =>
      line(1, number === 0 ? 'dim' : GRADE_TONES[status as GradeStatus], `${status}  ${number}`),
    ),
    ...Object.entries(summary.providers).flatMap(([id, provider]) => [
      providerLine(id, provider, width),
      ...provider.findings.map(({ rule, level, message }) =>
        line(2, level === 'error' ? 'bad' : 'fair', `${rule} ${message}`),
      ),
    ]),
    ...summary.server.map(findingLine),
    line(0, error > 0 ? 'bad' : warning > 0 ? 'fair' : 'good', `${error} errors, ${warning} warnings, ${advice} hints`),
  ];
};

/** The report as lines: tools that have something to say, then the whole. */
export const reportLines = (
  report: LintReport,
  { verbose = false }: ReportLinesOptions = {},
): readonly ReportLine[] => [
  ...report.tools.flatMap((tool) => {
    const lines = toolLines(tool, verbose);
    return verbose || lines.length > 1 ? lines : [];
  }),
  ...summaryLines(report),
];
