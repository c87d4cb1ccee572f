import type { CheckReport, CheckResult } from '@plugboard/contract';
import { failsRun } from '../run/summary.js';
import { callLines } from './words/calls.js';
import { byFamily, commandOf, headlineOf, measured, OUTCOMES } from './words/verdict-text.js';
import { element, xmlText } from './xml.js';

const labelled = (label: string, text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : [`${label}: ${text}`];

/** In the order of the terminal: what to do first, what was said last. */
const story = ({ detail, evidence, source, remedy }: CheckResult): string =>
  [
    ...labelled('expected', evidence?.expected),
    ...labelled('got', detail),
    ...labelled('fix', remedy),
    `text: “${source.sentence}” ${source.url}`,
    ...labelled('repeat it with', evidence?.reproduce),
    ...labelled('sent', evidence?.sent),
    ...labelled('received', evidence?.received),
  ].join('\n');

const content = (result: CheckResult, report: CheckReport): string => {
  const { verdict, detail = '', supply, level } = result;
  if (failsRun(result, report.failOn)) {
    return element('failure', { message: `${headlineOf(result)}: ${detail}`, type: level }, xmlText(story(result)));
  }
  // As text: the schema that CI servers publish gives this element no attributes.
  const skipped = (why: string): string => element('skipped', {}, xmlText(why));
  if (result.expected === true) return skipped(`in the baseline: ${detail}`);
  if (verdict === 'not-applicable') return skipped(`not applicable: ${detail}`);
  if (verdict === 'not-verified') return skipped(`not verified: ${detail} To supply: ${supply ?? ''}`);
  if (measured(report).includes(result)) return element('system-out', {}, xmlText(detail));
  return verdict === 'warn' ? element('system-out', {}, xmlText(`${level}: ${story(result)}`)) : '';
};

const testcase = (result: CheckResult, report: CheckReport): string => {
  const name = `${result.id} ${result.title} [${result.era}]`;
  const attributes = {
    classname: `plugboard.check.${result.family}`,
    name,
    time: (result.durationMs / 1_000).toFixed(3),
  };
  return element('testcase', attributes, content(result, report));
};

const isSkipped = (result: CheckResult, report: CheckReport): boolean => content(result, report).startsWith('<skipped');

const suite = (family: string, results: readonly CheckResult[], report: CheckReport): string => {
  const attributes = {
    name: family,
    tests: results.length,
    failures: results.filter((result) => failsRun(result, report.failOn)).length,
    errors: 0,
    skipped: results.filter((result) => isSkipped(result, report)).length,
    time: (results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000).toFixed(3),
    timestamp: report.startedAt.replace(/\.\d+Z$/u, ''),
  };
  return element('testsuite', attributes, `\n${results.map((result) => testcase(result, report)).join('\n')}\n`);
};

/** A run that could not take place, or a baseline that is stale, must be red in CI, too. */
const troubles = (report: CheckReport): readonly string[] => {
  const why = [
    ...(report.outcome === 'passed' || report.outcome === 'failed' || report.plan !== undefined
      ? []
      : [`The run has no verdict (${OUTCOMES[report.outcome]}): ${report.reason ?? 'nothing was judged'}`]),
    ...report.staleBaseline.map((entry) => `The baseline names ${entry}, which no longer fails.`),
  ];
  if (why.length === 0) return [];
  const cases = why.map((message) =>
    element(
      'testcase',
      { classname: 'plugboard.check', name: message, time: '0' },
      element('error', { message, type: 'run' }),
    ),
  );
  const attributes = {
    name: 'run',
    tests: why.length,
    failures: 0,
    errors: why.length,
    skipped: 0,
    time: '0',
    timestamp: report.startedAt.replace(/\.\d+Z$/u, ''),
  };
  return [element('testsuite', attributes, `\n${cases.join('\n')}\n`)];
};

/** What was called and what was not, as the output of a suite of its own. */
const called = (report: CheckReport): readonly string[] => {
  const lines = callLines(report);
  if (lines.length === 0) return [];
  const attributes = {
    name: 'calls',
    tests: 0,
    failures: 0,
    errors: 0,
    skipped: 0,
    time: '0',
    timestamp: report.startedAt.replace(/\.\d+Z$/u, ''),
  };
  return [element('testsuite', attributes, element('system-out', {}, xmlText(lines.join('\n'))))];
};

export const junitReport = (report: CheckReport): string => {
  const suites = [
    ...[...byFamily(report.results)].map(([family, results]) => suite(family, results, report)),
    ...troubles(report),
    ...called(report),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: commandOf(report) }, `\n${suites.join('\n')}\n`)}\n`;
};
