import { isJsonObject } from '@plugboard/base';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import { propertiesOf, requiredOf, typesOf, viewSchema, type ObjectNode } from '../definition/schema-view.js';
import type { ToolSubject } from './tool.js';

export const toolCount = (rule: RuleFor<'tool-count'>, tools: readonly ToolSubject[]): readonly Sighting[] =>
  tools.length <= rule.max
    ? []
    : [
        {
          pointer: '',
          message: `The list has ${tools.length} tools; ${rule.max} are allowed in one request.`,
          fix: 'Offer fewer tools at once, for example with a toolset.',
        },
      ];

export const uniqueNames = (_rule: RuleFor<'unique-names'>, tools: readonly ToolSubject[]): readonly Sighting[] => {
  const seen = new Map<string, number>();
  for (const { fullName } of tools) seen.set(fullName, (seen.get(fullName) ?? 0) + 1);
  return [...seen]
    .filter(([, times]) => times > 1)
    .map(([name, times]) => ({
      pointer: '',
      message: `${times} tools are named "${name}".`,
      fix: 'Prefix the names with the name of their server.',
    }));
};

const countNodes = (tools: readonly ToolSubject[], of: (node: ObjectNode) => number): number =>
  tools.reduce(
    (total, { tool }) => viewSchema(tool.inputSchema).objects.reduce((sum, node) => sum + of(node), total),
    0,
  );

const exceeds = (what: string, found: number, max: number): readonly Sighting[] =>
  found <= max
    ? []
    : [
        {
          pointer: '',
          message: `The list has ${found} ${what}; ${max} are allowed in one request.`,
          fix: 'Make fewer tools strict.',
        },
      ];

export const optionalTotal = (rule: RuleFor<'optional-total'>, tools: readonly ToolSubject[]): readonly Sighting[] => {
  const optional = ({ schema }: ObjectNode): number => {
    const required = new Set(requiredOf(schema));
    return Object.keys(propertiesOf(schema)).filter((key) => !required.has(key)).length;
  };
  return exceeds('optional parameters', countNodes(tools, optional), rule.max);
};

export const unionTotal = (rule: RuleFor<'union-total'>, tools: readonly ToolSubject[]): readonly Sighting[] => {
  const isUnion = ({ schema }: ObjectNode): number =>
    typesOf(schema).length > 1 || (isJsonObject(schema) && Object.hasOwn(schema, 'anyOf')) ? 1 : 0;
  return exceeds('parameters of more than one type', countNodes(tools, isUnion), rule.max);
};
