import type { CheckReport, CheckResult } from '@plugboard/contract';
import { callGroups } from './words/calls.js';
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
  titleOfFamily,
  VERDICTS,
} from './words/verdict-text.js';
import { visible } from './words/visible.js';

/** Text in a table or a list, where nothing of it may act as Markdown; not even a bare address, which GitHub makes a link. */
export const plain = (text: string): string =>
  visible(text)
    .replaceAll(/[\\`*_{}[\]<>()#+!|~]|:(?=\/\/)|(?<=www)\./giu, String.raw`\$&`)
    .replaceAll(/\s+/gu, ' ');

/** A block of code that no backtick inside can end. */
export const fenced = (text: string, language = ''): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
};

const summaryTable = ({ summary }: CheckReport): string =>
  [
    '| total | passed | failed | warned | not verified | not applicable | rate |',
    '|---:|---:|---:|---:|---:|---:|---:|',
    `| ${summary.total} | ${summary.pass} | ${summary.fail} | ${summary.warn} | ${summary.notVerified} | ${summary.notApplicable} | ${percent(summary)} |`,
  ].join('\n');

const MAX_RECEIVED = 2_000;

/** A report is for reading; the whole answer is in the JSON report. */
const clip = (text: string): string =>
  text.length > MAX_RECEIVED ? `${text.slice(0, MAX_RECEIVED)}… (${text.length} characters)` : text;

const finding = (result: CheckResult): string => {
  const { evidence, source } = result;
  const known = result.expected === true ? ' (in the baseline)' : '';
  return [
    `### ${VERDICTS[result.verdict].glyph} ${result.id} ${plain(headlineOf(result))}${known}`,
    '',
    `${qualifiers(result)}.`,
    '',
    ...(evidence === undefined ? [] : [`**Expected:** ${plain(evidence.expected)}`, '']),
    `**Got:** ${plain(result.detail ?? '')}`,
    '',
    `**Fix:** ${plain(result.remedy)}`,
    '',
    `> ${plain(source.sentence)} – <${source.url}>`,
    '',
    ...(evidence?.reproduce === undefined ? [] : ['Repeat it with:', '', fenced(evidence.reproduce, 'sh'), '']),
    ...(evidence === undefined || evidence.received === ''
      ? []
      : ['Received:', '', fenced(clip(evidence.received)), '']),
  ].join('\n');
};

/** What was found, or why nothing was and what is needed for it. */
const remark = ({ detail, supply }: CheckResult): string =>
  [detail, supply === undefined ? undefined : `Supply: ${supply}.`].filter((one) => one !== undefined).join(' ');

const row = (result: CheckResult): string =>
  `| ${VERDICTS[result.verdict].glyph} ${VERDICTS[result.verdict].label} | ${result.id} | ${plain(headlineOf(result))} | ${result.level} | ${result.era} | ${plain(remark(result))} |`;

/** What does not apply, by its reason: it is most of a report, and says little about the server. */
const idleLines = (results: readonly CheckResult[]): readonly string[] => {
  const reasons = new Map<string, Set<string>>();
  for (const { id, detail = '' } of results) reasons.set(detail, (reasons.get(detail) ?? new Set()).add(id));
  return [...reasons].flatMap(([why, ids]) => [`Not applicable: ${[...ids].join(', ')}. ${plain(why)}`.trim(), '']);
};

const familySection = (family: string, results: readonly CheckResult[]): string => {
  const judged = results.filter(({ verdict }) => verdict !== 'not-applicable');
  const idle = results.filter(({ verdict }) => verdict === 'not-applicable');
  return [
    `## ${titleOfFamily(family)}`,
    '',
    ...(judged.length === 0
      ? []
      : ['| verdict | check | | level | era | |', '|---|---|---|---|---|---|', ...judged.map(row), '']),
    ...idleLines(idle),
  ].join('\n');
};

const callTable = (report: CheckReport): readonly string[] =>
  callGroups(report).flatMap(({ title, calls }) => [
    `## ${title}`,
    '',
    '| what | times | why |',
    '|---|---:|---|',
    ...calls.map((call) => `| ${call.kind} ${plain(call.name)} | ${call.calls} | ${plain(call.why)} |`),
    '',
  ]);

const planTable = ({ plan = [] }: CheckReport): readonly string[] =>
  plan.length === 0
    ? []
    : [
        '## Plan',
        '',
        '| check | | level | era | |',
        '|---|---|---|---|---|',
        ...plan.map(
          ({ id, title, level, era, why }) =>
            `| ${id} | ${plain(title)} | ${level} | ${era} | ${plain(why ?? 'runs')} |`,
        ),
        '',
      ];

/** The whole report for people. */
export const markdownReport = (report: CheckReport): string => {
  const findings = gravestFirst(report.results.filter(isFinding));
  return [
    `# ${plain(subject(report))}: ${OUTCOMES[report.outcome]}`,
    '',
    summaryTable(report),
    '',
    `${[report.startedAt, timeOf(report), ...settingsOf(report), `plugboard ${report.version}`].join(', ')}.`,
    '',
    ...(report.reason === undefined ? [] : [plain(report.reason), '']),
    ...report.staleBaseline.map((entry) => `- The baseline names ${plain(entry)}, which no longer fails.\n`),
    ...(findings.length === 0 ? [] : ['## Findings', '', ...findings.map(finding)]),
    ...callTable(report),
    ...planTable(report),
    ...[...byFamily(report.results)].map(([family, results]) => familySection(family, results)),
  ].join('\n');
};

/** What fits the summary of a job: counts, and the findings without their transcripts. */
export const stepSummary = (report: CheckReport): string => {
  const rows = gravestFirst([...report.results.filter(isFinding), ...measured(report)]);
  return [
    `## ${plain(subject(report))}: ${OUTCOMES[report.outcome]}`,
    '',
    summaryTable(report),
    '',
    ...(report.reason === undefined ? [] : [plain(report.reason), '']),
    ...(rows.length === 0
      ? []
      : ['| verdict | check | | level | era | |', '|---|---|---|---|---|---|', ...rows.map(row), '']),
    ...callTable(report),
  ].join('\n');
};
