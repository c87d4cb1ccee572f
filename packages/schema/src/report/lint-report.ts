import type { Grade, ProviderVerdicts, ToolDefinition } from '@plugboard/contract';
import { adaptList, type ListAdaptation } from '../adapt/adapt-list.js';
import { toProviderVerdict, type Adaptation } from '../adapt/adapt-tool.js';
import type { GradeProfile } from '../grade/grade-schema.js';
import { gradeTool } from '../grade/grade-tool.js';
import type { LintFinding, LintLevel } from '../lint/rule/lint-rule.js';
import { lintServer } from '../lint/lint.js';
import type { ProfileFinding } from '../profile/definition/finding.js';
import { PROFILE_IDS, type ProfileId } from '../profile/registry.js';
import { estimateToolTokens } from '../tokens/estimate-tokens.js';

export interface LintReportOptions {
  readonly profile?: GradeProfile | undefined;
  /** Which providers and hosts to judge by; all when left out. */
  readonly providers?: readonly ProfileId[] | undefined;
  /** The server's name and what it says beside its tools. */
  readonly server?: string | undefined;
  readonly instructions?: unknown;
  readonly capabilities?: unknown;
}

export interface ToolReport {
  readonly name: string;
  readonly grade: Grade;
  readonly providers: ProviderVerdicts;
  readonly lint: readonly LintFinding[];
  readonly tokens: number;
}

/** What one provider makes of the whole list. */
export interface ProviderSummary {
  readonly verdict: Adaptation['verdict'];
  readonly ok: number;
  readonly rewritten: number;
  /** How many of the rewritten ones lose nothing. */
  readonly lossless: number;
  readonly rejected: number;
  /** What only shows when all tools are seen together: counts, totals, names. */
  readonly findings: readonly ProfileFinding[];
}

export interface LintSummary {
  readonly tools: number;
  readonly tokens: number;
  readonly grades: Readonly<Record<Grade['status'], number>>;
  readonly providers: Readonly<Record<string, ProviderSummary>>;
  readonly lint: Readonly<Record<LintLevel, number>>;
  /** Findings about the server and not about one of its tools. */
  readonly server: readonly LintFinding[];
}

export interface LintReport {
  readonly tools: readonly ToolReport[];
  readonly summary: LintSummary;
}

const count = <Item>(items: readonly Item[], holds: (item: Item) => boolean): number => items.filter(holds).length;

const summarise = ({ verdict, tools, findings }: ListAdaptation): ProviderSummary => ({
  verdict,
  ok: count(tools, (tool) => tool.verdict === 'ok'),
  rewritten: count(tools, (tool) => tool.verdict === 'rewritten'),
  lossless: count(tools, (tool) => tool.verdict === 'rewritten' && tool.lossless),
  rejected: count(tools, (tool) => tool.verdict === 'rejected'),
  findings,
});

const groupByTool = (findings: readonly LintFinding[]): ReadonlyMap<string, readonly LintFinding[]> => {
  const groups = new Map<string, LintFinding[]>();
  for (const finding of findings) {
    if (finding.tool === undefined) continue;
    const group = groups.get(finding.tool);
    if (group === undefined) groups.set(finding.tool, [finding]);
    else group.push(finding);
  }
  return groups;
};

/** Everything the schema doctor has to say of a list of tools, as one plain value. */
export const lintReport = (tools: readonly ToolDefinition[], options: LintReportOptions = {}): LintReport => {
  const { profile = 'default', providers = PROFILE_IDS, server, instructions, capabilities } = options;
  const lists = providers.map((id) => [id, adaptList(tools, id, { server })] as const);
  const findings = lintServer({ name: server, tools, instructions, capabilities });
  const byTool = groupByTool(findings);
  const reports = tools.map((tool, index): ToolReport => ({
    name: tool.name,
    grade: gradeTool(tool, { profile }),
    providers: Object.fromEntries(
      lists.flatMap(([id, list]) => {
        const adaptation = list.tools[index];
        return adaptation === undefined ? [] : [[id, toProviderVerdict(adaptation)]];
      }),
    ),
    lint: byTool.get(tool.name) ?? [],
    tokens: estimateToolTokens(tool),
  }));
  const graded = (status: Grade['status']): number => count(reports, ({ grade }) => grade.status === status);
  return {
    tools: reports,
    summary: {
      tools: tools.length,
      tokens: reports.reduce((sum, { tokens }) => sum + tokens, 0),
      grades: {
        STRICT_COMPLIANT: graded('STRICT_COMPLIANT'),
        NON_STRICT_ONLY: graded('NON_STRICT_ONLY'),
        INVALID: graded('INVALID'),
      },
      providers: Object.fromEntries(lists.map(([id, list]) => [id, summarise(list)])),
      lint: {
        error: count(findings, ({ level }) => level === 'error'),
        warning: count(findings, ({ level }) => level === 'warning'),
        advice: count(findings, ({ level }) => level === 'advice'),
      },
      server: findings.filter(({ tool }) => tool === undefined),
    },
  };
};
