import type { CheckReport, CheckResult } from '@plugboard/contract';
import { commandOf, gravestFirst, headlineOf, isFinding, measured, subject } from './words/verdict-text.js';

/** A file of the repository under test, and the line of it that names the server. */
export interface SarifLocation {
  /** Relative to the root of the repository, with forward slashes. */
  readonly uri: string;
  readonly line: number;
}

export interface SarifOptions {
  /** The file that findings are shown at. Without one they have a logical location only, which code scanning refuses. */
  readonly location?: SarifLocation | undefined;
}

const levelOf = ({ level, verdict }: CheckResult): 'error' | 'warning' | 'note' => {
  if (verdict === 'fail') return 'error';
  return level === 'ADVICE' ? 'note' : 'warning';
};

const ruleOf = (result: CheckResult) => ({
  id: result.id,
  name: result.title
    .split(/[^A-Za-z0-9]+/u)
    .filter(Boolean)
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join(''),
  shortDescription: { text: result.title },
  fullDescription: { text: result.source.sentence },
  help: { text: `${result.remedy} ${result.source.url}` },
  helpUri: result.source.url,
  properties: { tags: ['mcp', result.family], level: result.level },
});

const messageOf = (result: CheckResult): string => {
  const { detail = '', evidence, remedy } = result;
  return [
    `${headlineOf(result)}: ${detail}`,
    ...(evidence === undefined ? [] : [`Expected: ${evidence.expected}`]),
    ...(evidence?.reproduce === undefined ? [] : [`Reproduce: ${evidence.reproduce}`]),
    `Fix: ${remedy}`,
  ].join('\n');
};

const locationOf = ({ family, id }: CheckResult, label: string, location: SarifLocation | undefined) => ({
  ...(location === undefined
    ? {}
    : {
        physicalLocation: { artifactLocation: { uri: location.uri }, region: { startLine: location.line } },
      }),
  logicalLocations: [{ name: label, kind: 'module', fullyQualifiedName: `${label}/${family}/${id}` }],
});

interface Written {
  readonly rules: readonly { readonly id: string }[];
  readonly label: string;
  readonly location: SarifLocation | undefined;
}

const resultOf = (result: CheckResult, { rules, label, location }: Written) => ({
  ruleId: result.id,
  ruleIndex: rules.findIndex(({ id }) => id === result.id),
  level: levelOf(result),
  message: { text: messageOf(result) },
  locations: [locationOf(result, label, location)],
  partialFingerprints: { 'plugboardCheck/v1': `${result.id}/${result.era}/${result.transport}` },
  ...(result.expected === true ? { suppressions: [{ kind: 'external', justification: 'in the baseline' }] } : {}),
  properties: { era: result.era, transport: result.transport },
});

/** Findings as SARIF 2.1.0, which code scanning shows. */
export const sarifReport = (report: CheckReport, { location }: SarifOptions = {}): string => {
  const findings = gravestFirst(report.results.filter(isFinding));
  const passed = measured(report).map(({ id, title, detail }) => ({ id, title, detail }));
  const rules = [...new Map(findings.map((result) => [result.id, ruleOf(result)])).values()];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: commandOf(report), version: report.version, semanticVersion: report.version, rules } },
        automationDetails: { id: `${commandOf(report).replace(' ', '-')}/${subject(report)}` },
        invocations: [
          {
            executionSuccessful: report.outcome === 'passed' || report.outcome === 'failed',
            startTimeUtc: report.startedAt,
          },
        ],
        results: findings.map((result) => resultOf(result, { rules, label: report.target.label, location })),
        columnKind: 'utf16CodeUnits',
        properties: {
          calls: report.calls ?? [],
          // No finding, so no result: code scanning would show it as an alert.
          ...(passed.length === 0 ? {} : { measured: passed }),
        },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
};
