import type { GradeStatus, ToolDefinition } from '@plugboard/contract';
import { adaptList, type ListAdaptation } from '../adapt/adapt-list.js';
import type { Adaptation } from '../adapt/adapt-tool.js';
import { gradeTool } from '../grade/grade-tool.js';
import { lintServers } from '../lint/lint.js';
import { LINT_RULES } from '../lint/registry.js';
import { checkAgainstProfile, checkTool, isAccepted } from '../profile/check-against-profile.js';
import { PROFILE_IDS, PROFILES, type ProfileId } from '../profile/registry.js';
import { estimateServerTokens } from '../tokens/estimate-tokens.js';

/** The tool list of one published server, as the corpus keeps it. */
export interface CorpusServer {
  readonly package: string;
  readonly version: string;
  readonly collected: string;
  readonly instructions?: string;
  readonly tools: readonly ToolDefinition[];
}

const TOP = 5;

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n');

/** The commonest texts, each counted once per tool. */
const commonest = (perTool: readonly (readonly string[])[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const texts of perTool) for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, TOP);
};

/** A message without what differs from tool to tool. */
const general = (message: string): string =>
  message
    .replaceAll(/"[^"]*"/gu, (quoted) => (/^"\$?[a-zA-Z]{2,20}"$/u.test(quoted) ? quoted : '"…"'))
    .replaceAll(/\d{3,}/gu, 'N');

const ofRule = (rule: string, message: string): string => {
  // names of properties differ from tool to tool, names of keywords do not
  const named = ['OAI-06', 'ANT-02', 'GEM-06', 'optional-to-nullable', 'rename-key'].includes(rule);
  return `${rule}: ${named ? message.replaceAll(/"[^"]*"/gu, '"…"') : general(message)}`;
};

interface Judged {
  readonly id: ProfileId;
  readonly lists: readonly ListAdaptation[];
  readonly before: readonly (readonly string[])[];
  readonly serversBefore: number;
}

const judge = (id: ProfileId, servers: readonly CorpusServer[]): Judged => {
  const profile = PROFILES[id];
  const findings = servers.flatMap(({ tools }) => tools.map((tool) => checkTool(tool, profile)));
  return {
    id,
    lists: servers.map(({ tools }) => adaptList(tools, id)),
    before: findings.map((found) =>
      found.filter(({ level }) => level === 'error').map(({ rule, message }) => ofRule(rule, message)),
    ),
    serversBefore: servers.filter(({ tools }) => isAccepted(checkAgainstProfile(tools, profile))).length,
  };
};

const tally = (adapted: readonly Adaptation[]) => ({
  ok: adapted.filter(({ verdict }) => verdict === 'ok').length,
  lossless: adapted.filter(({ verdict, lossless }) => verdict === 'rewritten' && lossless).length,
  lossy: adapted.filter(({ verdict, lossless }) => verdict === 'rewritten' && !lossless).length,
  rejected: adapted.filter(({ verdict }) => verdict === 'rejected').length,
});

const overview = (judged: readonly Judged[], servers: number): string =>
  table(
    [
      'profile',
      'accepted as published',
      'after adaptation',
      'of these lossless',
      'lossy',
      'rejected',
      'servers accepted whole, before → after',
    ],
    judged.map(({ id, lists, serversBefore }) => {
      const { ok, lossless, lossy, rejected } = tally(lists.flatMap(({ tools }) => tools));
      const after = lists.filter(({ verdict }) => verdict !== 'rejected').length;
      return row(
        `\`${id}\``,
        ok,
        ok + lossless + lossy,
        lossless,
        lossy,
        rejected,
        `${serversBefore} → ${after} of ${servers}`,
      );
    }),
  );

const bullets = (title: string, counted: readonly (readonly [string, number])[]): readonly string[] =>
  counted.length === 0 ? [] : [`${title}:`, '', ...counted.map(([text, number]) => `- ${number} × ${text}`), ''];

const details = ({ id, lists, before }: Judged): string => {
  const adapted = lists.flatMap(({ tools }) => tools);
  const lossy = adapted.map(({ changes }) =>
    changes
      .filter(({ effect }) => effect !== 'same')
      .map(({ rule, message, effect }) => `${effect}: ${ofRule(rule, message)}`),
  );
  const rejected = adapted.map(({ reasons }) => reasons.map(({ rule, message }) => ofRule(rule, message)));
  const whole = lists.map(({ findings }) =>
    findings
      .filter(({ level }) => level === 'error')
      .map(({ rule, message }) => ofRule(rule, message.replaceAll(/\d+ (?=tools|optional|parameters)/gu, 'N '))),
  );
  return [
    `### ${PROFILES[id].title} (\`${id}\`)`,
    '',
    ...bullets('Tools rejected as published, by reason', commonest(before)),
    ...bullets('Tools with a lossy rewrite, by rewrite', commonest(lossy)),
    ...bullets('Tools rejected after adaptation', commonest(rejected)),
    ...bullets('Servers whose whole list is too large for one request', commonest(whole)),
  ].join('\n');
};

const STATUSES: readonly GradeStatus[] = ['STRICT_COMPLIANT', 'NON_STRICT_ONLY', 'INVALID'];

const grades = (tools: readonly ToolDefinition[]): string => {
  const counted = (['default', 'letta'] as const).map((profile) => {
    const statuses = tools.map((tool) => gradeTool(tool, { profile }).status);
    return row(`\`${profile}\``, ...STATUSES.map((status) => statuses.filter((own) => own === status).length));
  });
  return table(['grading profile', ...STATUSES], counted);
};

const lint = (servers: readonly CorpusServer[]): string => {
  const findings = lintServers(
    servers.map(({ package: name, tools, instructions }) => ({ name, tools, instructions })),
  );
  const rules = [...LINT_RULES, { id: 'SEC-15', name: 'shadowing', level: 'warning' }].map(({ id, name, level }) => {
    const own = findings.filter((finding) => finding.name === name);
    return row(id, name, level, own.length, new Set(own.map(({ server }) => server)).size);
  });
  return table(['rule', 'name', 'level', 'findings', 'servers'], rules);
};

const sources = (): string =>
  table(
    ['profile', 'rule', 'checks', 'level', 'source', 'recorded'],
    PROFILE_IDS.flatMap((id) =>
      PROFILES[id].rules.map(({ id: rule, check, level, source, recorded }) =>
        row(`\`${id}\``, rule, check, level, `<${source}>`, recorded),
      ),
    ),
  );

const listServers = (servers: readonly CorpusServer[]): string =>
  table(
    ['package', 'version', 'collected', 'tools', 'tokens (estimate)'],
    servers.map(({ package: name, version, collected, tools }) =>
      row(name, version, collected, tools.length, estimateServerTokens(tools)),
    ),
  );

/** The page that says how published servers fare with each provider, before adaptation and after. */
export const renderProviderDocs = (corpus: readonly CorpusServer[]): string => {
  const servers = [...corpus].sort((a, b) => (a.package < b.package ? -1 : 1));
  const tools = servers.flatMap((server) => server.tools);
  const judged = PROFILE_IDS.map((id) => judge(id, servers));
  return [
    '# Provider compatibility',
    '',
    '<!-- Generated by scripts/generate-provider-docs.mjs; do not edit. -->',
    '',
    `How ${PROFILE_IDS.length} providers and hosts accept ${tools.length} tools from ${servers.length} npm packages, as published and after`,
    'adaptation. The tool lists are in `packages/schema/corpus`; `node scripts/collect-corpus.mjs` collects them and',
    '`node scripts/generate-provider-docs.mjs` writes this page.',
    '',
    '*Lossless* means that every argument that the original schema describes can be passed and is restored exactly, and',
    'that nothing else is accepted. An object that does not mention undeclared members counts as closed. In a *lossy* rewrite',
    'a constraint is only described in words (`wider`), part of the arguments becomes JSON text (`encoded`), some',
    'arguments can no longer be passed (`narrower`), or text was cut (`shortened`). Restored arguments are always checked',
    'against the original schema before they are sent.',
    '',
    '## Before and after',
    '',
    overview(judged, servers.length),
    '',
    '## By profile',
    '',
    ...judged.map(details),
    '## Grades',
    '',
    grades(tools),
    '',
    '## Lint',
    '',
    lint(servers),
    '',
    '## Rules and their sources',
    '',
    sources(),
    '',
    '## The corpus',
    '',
    listServers(servers),
    '',
  ].join('\n');
};
