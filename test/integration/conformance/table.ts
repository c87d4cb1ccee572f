import { passedChecks, requiredOf, scenarioPassed, type Check, type ScenarioOutcome } from './outcome.js';

/** One run of the suite: directly, or through the hub. */
export interface Column {
  readonly name: string;
  readonly outcomes: readonly ScenarioOutcome[];
}

/** Checks that are lost in the same columns, for the same reason. */
export interface Loss {
  readonly checks: readonly string[];
  readonly columns: readonly string[];
  readonly reason: string;
}

const PASSED = '✓';
const FAILED = '✗';
/** Not made, or without a verdict. */
const NONE = '·';

const marksOf = ({ outcomes }: Column): ReadonlyMap<string, string> => {
  const passed = passedChecks(outcomes);
  const mark = (id: string, status: Check['status']): string => {
    if (passed.has(id)) return PASSED;
    return status === 'FAILURE' || status === 'WARNING' ? FAILED : NONE;
  };
  return new Map(
    outcomes.flatMap(({ name, checks }) =>
      checks.map(({ id, status }) => [`${name}/${id}`, mark(`${name}/${id}`, status)] as const),
    ),
  );
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const summary = ({ name, outcomes }: Column): string => {
  const required = requiredOf(outcomes);
  const passed = required.filter(scenarioPassed).length;
  return row([name, `${passed} of ${required.length}`, String(passedChecks(outcomes).size)]);
};

const lossLines = ({ checks, columns, reason }: Loss): readonly string[] => [
  `- **${columns.join('; ')}.** ${reason}`,
  ...checks.map((check) => `  - ${check}`),
];

/** A page: how many, which, and what is lost for which reason. */
export const writeTable = (title: string, columns: readonly Column[], losses: readonly Loss[]): string => {
  const marks = columns.map(marksOf);
  const ids = [...new Set(marks.flatMap((each) => [...each.keys()]))].sort();
  return [
    `# ${title}`,
    '',
    'Written by `npm run conformance` from what the official suite answered; see [how](../conformance.md). Do not edit.',
    '',
    row(['server', 'required scenarios passed', 'checks passed']),
    row(['---', '---', '---']),
    ...columns.map(summary),
    '',
    '## What is lost through the hub, and why',
    '',
    ...(losses.length === 0 ? ['Nothing.'] : losses.flatMap(lossLines)),
    '',
    '## Every check',
    '',
    `${PASSED} passed · ${FAILED} failed · \`${NONE}\` no verdict. \`direct\` is the server without the hub, over HTTP.`,
    '',
    row(['check', ...columns.map(({ name }) => name)]),
    row(['---', ...columns.map(() => '---')]),
    ...ids.map((id) => row([id, ...marks.map((each) => each.get(id) ?? NONE)])),
    '',
  ].join('\n');
};

/** The checks that a published page says were passed, by column. */
export const readTable = (page: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const rows = page
    .slice(page.indexOf('## Every check'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
  const [[, ...names] = [], , ...checks] = rows;
  return new Map(
    names.map((name, index) => [
      name,
      new Set(checks.flatMap(([id = '', ...marks]) => (marks[index] === PASSED ? [id] : []))),
    ]),
  );
};
