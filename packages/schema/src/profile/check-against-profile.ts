import type { ToolDefinition } from '@plugboard/contract';
import { optionalTotal, toolCount, unionTotal, uniqueNames } from './check/list.js';
import { description, hints, title, toolName, type ToolSubject } from './check/tool.js';
import { checkSchemaRule, isSchemaRule } from './check-schema-rule.js';
import type { ProfileFinding, Sighting } from './definition/finding.js';
import type { Profile } from './definition/profile.js';
import type { ListRuleBody, ProfileRule, RuleOrigin, ToolRuleBody } from './definition/rule.js';
import { viewSchema } from './definition/schema-view.js';

export interface CheckOptions {
  /** The server's name, where a host puts it before the tool's. */
  readonly server?: string | undefined;
}

const report = ({ id, level }: RuleOrigin, sightings: readonly Sighting[]): readonly ProfileFinding[] =>
  sightings.map((sighting) => ({ rule: id, level, ...sighting }));

/** Breaches of the profile's rules by an input schema alone. */
export const checkSchema = (schema: unknown, profile: Profile): readonly ProfileFinding[] => {
  const view = viewSchema(schema);
  return profile.rules.flatMap((rule) => (isSchemaRule(rule) ? report(rule, checkSchemaRule(rule, view)) : []));
};

const toolSightings = (rule: ToolRuleBody, subject: ToolSubject): readonly Sighting[] => {
  switch (rule.check) {
    case 'tool-name':
      return toolName(rule, subject);
    case 'description':
      return description(rule, subject);
    case 'title':
      return title(rule, subject);
    case 'hints':
      return hints(rule, subject);
    default:
      return rule satisfies never;
  }
};

const isToolRule = (rule: ProfileRule): rule is RuleOrigin & ToolRuleBody =>
  ['tool-name', 'description', 'title', 'hints'].includes(rule.check);

/** The name as it reaches the model: hosts put the server's before it. */
export const fullNameOf = (name: string, { hostPrefix }: Profile, server: string | undefined): string =>
  hostPrefix === undefined || server === undefined ? name : `${hostPrefix.before}${server}${hostPrefix.after}${name}`;

const subjectOf = (tool: ToolDefinition, profile: Profile, options: CheckOptions): ToolSubject => ({
  tool,
  fullName: fullNameOf(tool.name, profile, options.server),
});

/** Breaches by a tool's name, title and description alone. */
export const checkTexts = (
  tool: ToolDefinition,
  profile: Profile,
  options: CheckOptions = {},
): readonly ProfileFinding[] => {
  const subject = subjectOf(tool, profile, options);
  return profile.rules.flatMap((rule) => (isToolRule(rule) ? report(rule, toolSightings(rule, subject)) : []));
};

/** Breaches by one tool: its name, its texts and its input schema. */
export const checkTool = (
  tool: ToolDefinition,
  profile: Profile,
  options: CheckOptions = {},
): readonly ProfileFinding[] => [...checkTexts(tool, profile, options), ...checkSchema(tool.inputSchema, profile)];

const listSightings = (rule: ListRuleBody, tools: readonly ToolSubject[]): readonly Sighting[] => {
  switch (rule.check) {
    case 'tool-count':
      return toolCount(rule, tools);
    case 'unique-names':
      return uniqueNames(rule, tools);
    case 'optional-total':
      return optionalTotal(rule, tools);
    case 'union-total':
      return unionTotal(rule, tools);
    default:
      return rule satisfies never;
  }
};

const isListRule = (rule: ProfileRule): rule is RuleOrigin & ListRuleBody => !isToolRule(rule) && !isSchemaRule(rule);

/** Breaches that only show when all tools of a request are seen together. */
export const checkList = (
  tools: readonly ToolDefinition[],
  profile: Profile,
  options: CheckOptions = {},
): readonly ProfileFinding[] => {
  const subjects = tools.map((tool) => subjectOf(tool, profile, options));
  return profile.rules.flatMap((rule) => (isListRule(rule) ? report(rule, listSightings(rule, subjects)) : []));
};

/** The profile's own verdict on a tool or on a whole list: nothing found means that it is taken. */
export const checkAgainstProfile = (
  subject: ToolDefinition | readonly ToolDefinition[],
  profile: Profile,
  options: CheckOptions = {},
): readonly ProfileFinding[] =>
  Array.isArray(subject)
    ? [
        ...subject.flatMap((tool: ToolDefinition) => checkTool(tool, profile, options)),
        ...checkList(subject, profile, options),
      ]
    : checkTool(subject as ToolDefinition, profile, options);

export const isAccepted = (findings: readonly ProfileFinding[]): boolean =>
  !findings.some(({ level }) => level === 'error');
