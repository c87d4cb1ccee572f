import { passedChecks, requiredOf, scenarioPassed, type ScenarioOutcome } from './outcome.js';

export interface Row {
  readonly server: string;
  readonly outcomes: readonly ScenarioOutcome[];
}

const line = ({ server, outcomes }: Row): string => {
  const required = requiredOf(outcomes);
  const passed = required.filter(scenarioPassed).length;
  return `| ${server} | ${passed} of ${required.length} | ${passedChecks(outcomes).size} |`;
};

/** The figures of a run as a page; the suite's own version is part of what they mean. */
export const tableOf = (title: string, rows: readonly Row[]): string =>
  [
    `# ${title}`,
    '',
    'Written by the tests from what the official suite answered; see [how](../conformance.md). Do not edit.',
    '',
    '| server | required scenarios passed | checks passed |',
    '|---|---|---|',
    ...rows.map(line),
    '',
  ].join('\n');
