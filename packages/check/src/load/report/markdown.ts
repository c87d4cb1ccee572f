import type { BenchReport, LoadPhase, ScenarioResult } from '@plugboard/contract';
import { plain } from '../../reporter/markdown.js';
import { seconds } from '../../reporter/words/verdict-text.js';
import {
  callCountWords,
  callWords,
  COMPARED,
  comparisonRows,
  comparisonTitle,
  generatorWords,
  latencyFigures,
  mainPhase,
  milliseconds,
  omissionWords,
  outcomeWord,
  PHASE_COLUMNS,
  processWords,
  subject,
  thresholdMark,
  thresholdWords,
  VIOLATIONS,
} from './report-text.js';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  row(titles),
  row(titles.map((_, index) => (index === 0 ? '---' : '---:'))),
  ...rows.map(row),
  '',
];

const phaseTable = (phases: readonly LoadPhase[]): readonly string[] =>
  phases.length === 0
    ? []
    : table(
        PHASE_COLUMNS.map(([title]) => title),
        phases.map((phase) => PHASE_COLUMNS.map(([, text]) => plain(text(phase)))),
      );

const curveTable = ({ scenario, curve = [] }: ScenarioResult): readonly string[] =>
  curve.length === 0 || scenario === 'ramp'
    ? []
    : table(
        [scenario === 'list' ? 'tools' : 'bytes', 'p50', 'p95', 'max', 'failed'],
        curve.map(({ x, latency, failed }) => [
          String(x),
          milliseconds(latency.p50),
          milliseconds(latency.p95),
          milliseconds(latency.max),
          String(failed),
        ]),
      );

const errorLines = (phases: readonly LoadPhase[]): readonly string[] => {
  const lines = phases.flatMap(({ name, errors }) =>
    Object.entries(errors).map(([error, count]) => `- ${plain(name)}: ${count} × ${plain(error)}`),
  );
  return lines.length === 0 ? [] : [...lines, ''];
};

const verdicts = ({ thresholds, violations }: BenchReport): readonly string[] => [
  ...violations.flatMap(({ kind, count, example }) => [
    `- ✗ **${count} ${VIOLATIONS[kind]}**. First: ${plain(example)}`,
  ]),
  ...thresholds.map((threshold) => `- ${thresholdMark(threshold)} ${plain(thresholdWords(threshold))}`),
  ...(violations.length + thresholds.length > 0 ? [''] : []),
];

const head = (report: BenchReport): readonly string[] => [
  ...(report.reason === undefined ? [] : [plain(report.reason), '']),
  ...(report.call === undefined ? [] : [`Called: ${plain(callWords(report))}.`, '']),
  ...(report.call?.note === undefined ? [] : [plain(report.call.note), '']),
  ...verdicts(report),
];

const distribution = (report: BenchReport): readonly string[] => {
  const phase = mainPhase(report);
  if (phase === undefined) return [];
  return [
    `## Latency of the phase ${plain(phase.name)}`,
    '',
    callCountWords(phase),
    '',
    ...table(['', 'measured', 'corrected'], latencyFigures(phase)),
    ...omissionWords(phase).flatMap((line) => [plain(line), '']),
  ];
};

const comparison = (report: BenchReport): readonly string[] =>
  report.comparison === undefined
    ? []
    : [`## ${plain(comparisonTitle(report))}`, '', ...table(COMPARED, comparisonRows(report))];

/** The whole report for people. */
export const benchMarkdown = (report: BenchReport): string =>
  [
    `# ${plain(subject(report))}: ${outcomeWord(report)}`,
    '',
    `${report.startedAt}, ${seconds(report.durationMs)}, plugboard ${report.version}.`,
    '',
    ...head(report),
    ...comparison(report),
    ...distribution(report),
    ...report.scenarios.flatMap((result) => [
      `## ${result.scenario}`,
      '',
      plain(result.summary),
      '',
      ...phaseTable(result.phases),
      ...curveTable(result),
      ...errorLines(result.phases),
    ]),
    ...[...processWords(report), ...generatorWords(report)].flatMap((line) => [plain(line), '']),
  ].join('\n');

/** What fits the summary of a job. */
export const benchSummary = (report: BenchReport): string =>
  [
    `## ${plain(subject(report))}: ${outcomeWord(report)}`,
    '',
    ...head(report),
    ...comparison(report),
    ...phaseTable(report.scenarios.flatMap(({ phases }) => phases)),
    ...[...processWords(report), ...generatorWords(report)].flatMap((line) => [plain(line), '']),
  ].join('\n');
