import type { BenchReport } from '@plugboard/contract';
import { element, xmlText } from '../../reporter/xml.js';
import { benchSummary } from './markdown.js';
import { outcomeWord, thresholdWords, VIOLATIONS } from './report-text.js';

const testcase = (name: string, group: string, content = ''): string =>
  element('testcase', { classname: `plugboard.bench.${group}`, name, time: '0' }, content);

const failure = (message: string, type: string): string => element('failure', { message, type });

/** Scenarios, correctness and thresholds as test cases. */
export const benchJunit = (report: BenchReport): string => {
  const { scenarios, violations, thresholds } = report;
  const isRun = report.outcome === 'passed' || report.outcome === 'failed';
  const isEnded = report.outcome === 'failed' && report.reason !== undefined;
  const cases = [
    ...scenarios.map(({ scenario, skipped, summary, phases }) =>
      element(
        'testcase',
        {
          classname: 'plugboard.bench.scenario',
          name: `${scenario}: ${summary}`,
          time: phases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
        },
        skipped === undefined ? '' : element('skipped', { message: skipped }),
      ),
    ),
    ...(scenarios.length > 0 && violations.length === 0
      ? [testcase('answers stay correct under load', 'correctness')]
      : []),
    ...violations.map(({ kind, count, example }) =>
      testcase(VIOLATIONS[kind], 'correctness', failure(`${count} ${VIOLATIONS[kind]}. ${example}`, kind)),
    ),
    ...(report.comparison?.changes ?? []).map(({ metric, ratio, verdict }) => {
      const words = `${metric} compared with ${report.comparison?.with ?? ''}: ratio ${ratio.toFixed(3)}`;
      const isGate = report.comparison?.kind === 'baseline' && verdict === 'worse';
      return testcase(words, 'comparison', isGate ? failure(words, 'regression') : '');
    }),
    ...thresholds.map((threshold) => {
      const words = thresholdWords(threshold);
      const content =
        threshold.verdict === 'pass'
          ? ''
          : threshold.verdict === 'fail'
            ? failure(words, 'threshold')
            : element('skipped', { message: 'not measured' });
      return testcase(words, 'threshold', content);
    }),
    ...(isEnded ? [testcase('the run', 'run', failure(report.reason ?? '', 'run'))] : []),
    ...(isRun
      ? []
      : [
          testcase(
            'the run',
            'run',
            element('error', {
              message: `${outcomeWord(report)}: ${report.reason ?? 'nothing was measured'}`,
              type: 'run',
            }),
          ),
        ]),
  ];
  const attributes = {
    name: 'plugboard bench',
    tests: cases.length,
    failures:
      violations.length +
      thresholds.filter(({ verdict }) => verdict === 'fail').length +
      (report.comparison?.kind === 'baseline'
        ? report.comparison.changes.filter(({ verdict }) => verdict === 'worse').length
        : 0) +
      (isEnded ? 1 : 0),
    errors: isRun ? 0 : 1,
    skipped:
      scenarios.filter(({ skipped }) => skipped !== undefined).length +
      thresholds.filter(({ verdict }) => verdict === 'not-measured').length,
    time: (report.durationMs / 1_000).toFixed(3),
    timestamp: report.startedAt.replace(/\.\d+Z$/u, ''),
  };
  const output = element('system-out', {}, xmlText(benchSummary(report)));
  const suite = element('testsuite', attributes, `\n${cases.join('\n')}\n${output}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'plugboard bench' }, `\n${suite}\n`)}\n`;
};
