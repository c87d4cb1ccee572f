import type { SoakReport, SoakFinding, SoakVerdict } from '@plugboard/contract';
import { lineChart, mebibytes, mebibyteTick, millisecondTick, type Series } from '../../load/report/chart.js';
import { chartPage } from '../../load/report/page.js';
import { OUTCOMES, VIOLATIONS } from '../../load/report/report-text.js';
import { html } from '../../reporter/html/escape.js';
import type { ReportLine } from '../../reporter/terminal.js';
import { element, xmlText } from '../../reporter/xml.js';
import { plain } from '../../reporter/markdown.js';

const TONES = { stable: 'good', grows: 'bad', undecided: 'fair', 'not-measured': 'dim' } as const;

const METRICS: Readonly<Record<SoakFinding['metric'], string>> = {
  rss: 'memory',
  handles: 'handles',
  latency: 'latency',
  sessions: 'ended sessions',
};

const MARKS: Readonly<Record<SoakVerdict, string>> = {
  stable: '✓',
  grows: '✗',
  undecided: '?',
  'not-measured': '–',
};

const soakSubject = ({ target, server, era }: SoakReport): string => {
  const name = server?.name === undefined ? target.label : `${server.name} ${server.version ?? ''}`.trim();
  const over = target.transport === undefined ? '' : ` over ${target.transport}`;
  return `${name}${over}${era === undefined ? '' : ` (${era} era)`}`;
};

const errorWords = ({ errors = {} }: SoakReport): readonly string[] =>
  Object.entries(errors).map(([error, count]) => `${count} × ${error}`);

const findingWords = ({ metric, detail }: SoakFinding): string => `${METRICS[metric]}: ${detail}`;

/** What was done, in one sentence. */
const courseWords = ({ samples, churned, durationMs, stoppedEarly, call }: SoakReport): string => {
  const last = samples.at(-1);
  const called =
    call === undefined ? '' : ` of ${call.tool === undefined ? call.method : `${call.method} ${call.tool}`}`;
  const sessions =
    churned.deleted + churned.abandoned === 0
      ? ''
      : `, ${churned.deleted} sessions ended with DELETE and ${churned.abandoned} without`;
  return `${last?.calls ?? 0} calls${called}, ${last?.failed ?? 0} failed${sessions}, in ${(durationMs / 1_000).toFixed(0)} s${stoppedEarly ? ' (stopped early: certain)' : ''}.`;
};

export const soakLines = (report: SoakReport): readonly ReportLine[] => [
  { indent: 0, tone: 'plain', text: soakSubject(report) },
  ...(report.call?.note === undefined ? [] : [{ indent: 0, tone: 'fair', text: report.call.note } as const]),
  { indent: 0, tone: 'plain', text: courseWords(report) },
  ...errorWords(report).map((text): ReportLine => ({ indent: 2, tone: 'fair', text })),
  ...report.findings.map((finding): ReportLine => ({
    indent: 0,
    tone: TONES[finding.verdict],
    text: `${MARKS[finding.verdict]} ${findingWords(finding)}`,
  })),
  ...report.violations.map(({ kind, count, example }): ReportLine => ({
    indent: 0,
    tone: 'bad',
    text: `✗ ${count} ${VIOLATIONS[kind]}. First: ${example}`,
  })),
  {
    indent: 0,
    tone: report.outcome === 'passed' ? 'good' : report.outcome === 'failed' ? 'bad' : 'fair',
    text: `${OUTCOMES[report.outcome]}${report.reason === undefined ? '' : `: ${report.reason}`}`,
  },
];

const soakMarkdown = (report: SoakReport): string =>
  [
    `## ${plain(soakSubject(report))}: ${OUTCOMES[report.outcome]}`,
    '',
    ...(report.reason === undefined ? [] : [plain(report.reason), '']),
    plain(courseWords(report)),
    '',
    ...errorWords(report).map((text) => `- ${plain(text)}`),
    ...report.findings.map((finding) => `- ${MARKS[finding.verdict]} ${plain(findingWords(finding))}`),
    ...report.violations.map(
      ({ kind, count, example }) => `- ✗ ${count} ${VIOLATIONS[kind]}. First: ${plain(example)}`,
    ),
    '',
  ].join('\n');

const soakJunit = (report: SoakReport): string => {
  const testcase = (name: string, content = ''): string =>
    element('testcase', { classname: 'plugboard.soak', name, time: '0' }, content);
  const hasFailedCalls = report.outcome === 'failed' && report.reason !== undefined;
  const isRun = report.outcome !== 'unreachable' && report.outcome !== 'not-examined';
  const cases = [
    ...report.findings.map((finding) => {
      const words = findingWords(finding);
      if (finding.verdict === 'stable') return testcase(words);
      return finding.verdict === 'grows'
        ? testcase(words, element('failure', { message: words, type: finding.metric }))
        : testcase(words, element('skipped', { message: finding.verdict }));
    }),
    ...report.violations.map(({ kind, count, example }) =>
      testcase(VIOLATIONS[kind], element('failure', { message: `${count}: ${example}`, type: kind })),
    ),
    ...(isRun ? [] : [testcase('the run', element('error', { message: report.reason ?? '', type: 'run' }))]),
    ...(hasFailedCalls ? [testcase('calls', element('failure', { message: report.reason ?? '', type: 'calls' }))] : []),
  ];
  const attributes = {
    name: 'plugboard soak',
    tests: cases.length,
    failures:
      report.findings.filter(({ verdict }) => verdict === 'grows').length +
      report.violations.length +
      (hasFailedCalls ? 1 : 0),
    errors: isRun ? 0 : 1,
    skipped: report.findings.filter(({ verdict }) => verdict === 'undecided' || verdict === 'not-measured').length,
    time: (report.durationMs / 1_000).toFixed(3),
    timestamp: report.startedAt.replace(/\.\d+Z$/u, ''),
  };
  const output = element('system-out', {}, xmlText(soakMarkdown(report)));
  const suite = element('testsuite', attributes, `\n${cases.join('\n')}\n${output}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'plugboard soak' }, `\n${suite}\n`)}\n`;
};

const time = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;

const charts = ({ samples }: SoakReport): readonly string[] => {
  const chart = (
    title: string,
    pick: (sample: SoakReport['samples'][number]) => number | undefined,
    y: (value: number) => string,
    colour: Series['colour'],
  ): string => {
    const points = samples.flatMap((sample) => {
      const value = pick(sample);
      return value === undefined ? [] : [[sample.at, value] as const];
    });
    return lineChart([{ name: title, colour, points }], { title, x: time, y });
  };
  return [
    chart('Memory', ({ rss }) => (rss === undefined ? undefined : mebibytes(rss)), mebibyteTick, 'a'),
    chart(
      'Handles',
      ({ handles }) => handles,
      (value) => value.toFixed(0),
      'b',
    ),
    chart('Latency, median', ({ latency }) => latency, millisecondTick, 'c'),
  ];
};

const soakHtml = (report: SoakReport): string =>
  chartPage(`${soakSubject(report)}: ${OUTCOMES[report.outcome]}`, [
    `<p class="meta">${html(report.target.label)} · ${html(report.startedAt)} · plugboard ${html(report.version)}</p>`,
    ...(report.reason === undefined ? [] : [`<p><strong>${html(report.reason)}</strong></p>`]),
    `<p>${html(courseWords(report))}</p>`,
    ...errorWords(report).map((text) => `<p>${html(text)}</p>`),
    `<ul>${report.findings
      .map((finding) => {
        const tone = finding.verdict === 'grows' ? 'fail' : finding.verdict === 'stable' ? 'pass' : '';
        return `<li class="${tone}">${MARKS[finding.verdict]} ${html(findingWords(finding))}</li>`;
      })
      .join('')}</ul>`,
    `<div class="charts">${charts(report).join('')}</div>`,
  ]);

/** Every form that a report of a soak can be written in, besides the terminal. */
export const SOAK_REPORTERS = {
  json: (report: SoakReport) => `${JSON.stringify(report, null, 2)}\n`,
  md: soakMarkdown,
  xml: soakJunit,
  html: soakHtml,
} as const satisfies Readonly<Record<string, (report: SoakReport) => string>>;
