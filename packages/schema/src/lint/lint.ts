import type { ToolDefinition } from '@plugboard/contract';
import type { Hit, LintFinding, LintRule } from './rule/lint-rule.js';
import { LINT_RULES } from './registry.js';
import { lookAlikes, type Named } from './rule/similarity.js';
import { serverSubject, type ServerTexts } from './rule/subject.js';

const sentenceFor = (rule: Pick<LintRule, 'sentence'>, { detail }: Hit): string =>
  detail === undefined ? rule.sentence : `${rule.sentence.replace(/\.$/u, '')}: ${detail}.`;

const toFinding = (rule: Omit<LintRule, 'inspect'>, hit: Hit, server: string | undefined): LintFinding => ({
  rule: rule.id,
  name: rule.name,
  level: rule.level,
  ...(server === undefined ? {} : { server }),
  ...hit,
  message: sentenceFor(rule, hit),
  fix: rule.fix,
});

/** Everything that the rules say of one server: its tools, its instructions, and its tools beside each other. */
export const lintServer = (server: ServerTexts): readonly LintFinding[] => {
  const subject = serverSubject(server);
  return LINT_RULES.flatMap((rule) => rule.inspect(subject).map((hit) => toFinding(rule, hit, server.name)));
};

/** What the rules say of one tool alone. */
export const lintTool = (tool: ToolDefinition): readonly LintFinding[] =>
  lintServer({ tools: [tool] }).filter((finding) => finding.tool === tool.name);

const SHADOWING = {
  id: 'SEC-15',
  name: 'shadowing',
  level: 'warning',
  sentence: 'A tool of one server has a name that looks like a tool of another',
  fix: 'Check that both servers are what they claim to be, and prefix their tools.',
} as const;

const across = (servers: readonly ServerTexts[]): readonly LintFinding[] => {
  const names: readonly Named[] = servers.flatMap(({ name, tools }, index) =>
    tools.map((tool) => ({ name: tool.name, owner: name ?? `server ${index + 1}` })),
  );
  return lookAlikes(names)
    .filter(({ a, b }) => a.owner !== b.owner)
    .map(({ a, b }) =>
      toFinding(SHADOWING, { tool: b.name, where: 'name', detail: `"${a.name}" of ${a.owner}` }, b.owner),
    );
};

/** Each server separately, and names that could be mistaken for each other across them. */
export const lintServers = (servers: readonly ServerTexts[]): readonly LintFinding[] => [
  ...servers.flatMap(lintServer),
  ...across(servers),
];
