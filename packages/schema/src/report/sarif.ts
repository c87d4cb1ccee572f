import { LINT_RULES } from '../lint/registry.js';
import type { LintFinding, LintLevel } from '../lint/rule/lint-rule.js';
import { sha256 } from '../document/canonical-json.js';
import type { LintReport, ToolReport } from './lint-report.js';

type SarifLevel = 'error' | 'warning' | 'note';

interface SarifResult {
  readonly ruleId: string;
  readonly level: SarifLevel;
  readonly message: { readonly text: string };
  readonly locations: readonly object[];
  readonly partialFingerprints: { readonly plugboard: string };
}

/** A SARIF 2.1.0 log, as far as it is written here. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly object[] } };
      readonly results: readonly SarifResult[];
    },
  ];
}

export interface SarifOptions {
  /** The file or address that the tools came from. */
  readonly uri?: string | undefined;
}

const LEVELS: Readonly<Record<LintLevel, SarifLevel>> = { error: 'error', warning: 'warning', advice: 'note' };

const locate = (uri: string, tool: string | undefined, where: string): object => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
  logicalLocations: [{ fullyQualifiedName: tool === undefined ? where : `${tool}/${where}`, kind: 'member' }],
});

interface Entry {
  readonly ruleId: string;
  readonly level: SarifLevel;
  readonly text: string;
  readonly tool: string | undefined;
  readonly where: string;
}

const toResult = ({ ruleId, level, text, tool, where }: Entry, uri: string): SarifResult => ({
  ruleId,
  level,
  message: { text },
  locations: [locate(uri, tool, where)],
  partialFingerprints: { plugboard: sha256(JSON.stringify([ruleId, tool ?? null, where])).slice(0, 32) },
});

const fromLint = ({ rule, name, level, message, fix, tool, where }: LintFinding): Entry => ({
  ruleId: `${rule}/${name}`,
  level: LEVELS[level],
  text: `${message} ${fix}`,
  tool,
  where,
});

const fromTool = ({ name, grade, providers }: ToolReport): readonly Entry[] => [
  ...(grade.status === 'INVALID' ? grade.reasons : []).map(({ rule, pointer, message, fix }) => ({
    ruleId: `grade/${rule}`,
    level: 'error' as const,
    text: fix === undefined ? message : `${message} ${fix}`,
    tool: name,
    where: `inputSchema${pointer}`,
  })),
  ...Object.entries(providers).flatMap(([id, verdict]) =>
    verdict.verdict !== 'rejected'
      ? []
      : verdict.reasons.map(({ rule, pointer, message }) => ({
          ruleId: `${id}/${rule}`,
          level: 'error' as const,
          text: `${id} refuses the tool. ${message}`,
          tool: name,
          where: `inputSchema${pointer}`,
        })),
  ),
];

const describeRules = (entries: readonly Entry[]): readonly object[] => {
  const known = new Map(LINT_RULES.map((rule) => [`${rule.id}/${rule.name}`, rule]));
  return [...new Set(entries.map(({ ruleId }) => ruleId))].sort().map((id) => {
    const rule = known.get(id);
    return rule === undefined
      ? { id }
      : { id, name: rule.name, shortDescription: { text: rule.sentence }, help: { text: rule.fix } };
  });
};

/** The report for code scanning: lint findings, unusable schemas, and tools that a provider refuses. */
export const toSarif = ({ tools, summary }: LintReport, { uri = 'tools.json' }: SarifOptions = {}): SarifLog => {
  const lists = Object.entries(summary.providers).flatMap(([id, { findings }]) =>
    findings.map(({ rule, level, message }) => ({
      ruleId: `${id}/${rule}`,
      level,
      text: `${id}: ${message}`,
      tool: undefined,
      where: 'tools',
    })),
  );
  const entries: readonly Entry[] = [
    ...tools.flatMap((tool) => [...fromTool(tool), ...tool.lint.map(fromLint)]),
    ...summary.server.map(fromLint),
    ...lists,
  ];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'plugboard lint', rules: describeRules(entries) } },
        results: entries.map((entry) => toResult(entry, uri)),
      },
    ],
  };
};
