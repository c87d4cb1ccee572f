import type { BenchReport, LoadPhase } from '@plugboard/contract';
import type { ReportLine } from '../../reporter/terminal.js';
import {
  callWords,
  comparisonRows,
  comparisonTitle,
  firstEventWords,
  generatorWords,
  mainPhase,
  milliseconds,
  omissionWords,
  outcomeWord,
  processWords,
  subject,
  thresholdMark,
  thresholdWords,
  VIOLATIONS,
} from './report-text.js';

const plainLine = (text: string, indent = 0): ReportLine => ({ indent, tone: 'plain', text });

const phaseLine = ({ name, calls, failed, callsPerSecond, uncorrected: latency }: LoadPhase): ReportLine => {
  const text = `${name}: ${calls} calls, ${failed} failed, ${callsPerSecond.toFixed(0)}/s, mean ${milliseconds(latency.mean)}, p50 ${milliseconds(latency.p50)}, p95 ${milliseconds(latency.p95)}, p99 ${milliseconds(latency.p99)}, max ${milliseconds(latency.max)}`;
  return { indent: 2, tone: failed > 0 ? 'fair' : 'dim', text };
};

const errorLines = ({ errors }: LoadPhase): readonly ReportLine[] =>
  Object.entries(errors).map(([error, count]) => ({ indent: 4, tone: 'fair', text: `${count} × ${error}` }));

/** The report as lines for a terminal. */
export const benchLines = (report: BenchReport): readonly ReportLine[] => {
  const main = mainPhase(report);
  const called = callWords(report);
  return [
    { indent: 0, tone: 'plain', text: `${subject(report)}${called === '' ? '' : `, ${called}`}` },
    ...(report.call?.note === undefined ? [] : [{ indent: 0, tone: 'fair', text: report.call.note } as const]),
    ...report.scenarios.flatMap(({ scenario, summary, phases, skipped }): readonly ReportLine[] => [
      { indent: 0, tone: skipped === undefined ? 'plain' : 'dim', text: `${scenario}: ${summary}` },
      ...phases.flatMap((phase) => [phaseLine(phase), ...errorLines(phase)]),
    ]),
    ...(main === undefined ? [] : [...firstEventWords(main), ...omissionWords(main)].map((text) => plainLine(text))),
    ...[...processWords(report), ...generatorWords(report)].map((text) => plainLine(text)),
    ...(report.comparison === undefined ? [] : [plainLine(`${comparisonTitle(report)}:`)]),
    ...(report.comparison?.changes ?? []).map((change, index): ReportLine => {
      const [name, before, after, ratio, p, effect, verdict] = comparisonRows(report)[index] ?? [];
      return {
        indent: 2,
        tone: change.verdict === 'worse' ? 'bad' : change.verdict === 'better' ? 'good' : 'dim',
        text: `${name}: ${before} → ${after}, ratio ${ratio}, p = ${p}, effect ${effect}: ${verdict}`,
      };
    }),
    ...report.violations.map(({ kind, count, example }): ReportLine => ({
      indent: 0,
      tone: 'bad',
      text: `✗ ${count} ${VIOLATIONS[kind]}. First: ${example}`,
    })),
    ...report.thresholds.map((threshold): ReportLine => ({
      indent: 0,
      tone: threshold.verdict === 'pass' ? 'good' : threshold.verdict === 'fail' ? 'bad' : 'dim',
      text: `${thresholdMark(threshold)} ${thresholdWords(threshold)}${threshold.verdict === 'not-measured' ? ': not measured' : ''}`,
    })),
    {
      indent: 0,
      tone: report.outcome === 'passed' ? 'good' : report.outcome === 'failed' ? 'bad' : 'fair',
      text: `${outcomeWord(report)}${report.reason === undefined ? '' : `: ${report.reason}`}`,
    },
  ];
};
