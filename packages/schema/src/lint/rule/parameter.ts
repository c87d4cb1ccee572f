import { isJsonObject } from '@plugboard/base';
import { ownMember } from '../../document/json-schema.js';
import { propertiesOf, requiredOf } from '../../profile/definition/schema-view.js';
import { excerpt, perTool, type LintRule } from './lint-rule.js';
import type { ToolSubject } from './subject.js';

const MANY = 15;
const ENOUGH_TO_REQUIRE = 4;

const rootOf = ({ tool }: ToolSubject) => (isJsonObject(tool.inputSchema) ? tool.inputSchema : {});

export const requiredNamed: LintRule = {
  id: 'LNT-03',
  name: 'required-named',
  level: 'advice',
  sentence: 'None of many parameters is required.',
  fix: 'Require what the tool cannot work without.',
  inspect: perTool((subject) => {
    const root = rootOf(subject);
    const count = Object.keys(propertiesOf(root)).length;
    const isUnion = ['anyOf', 'oneOf', 'allOf'].some((keyword) => Object.hasOwn(root, keyword));
    return count >= ENOUGH_TO_REQUIRE && requiredOf(root).length === 0 && !isUnion
      ? [{ where: 'inputSchema', detail: `${count} are optional` }]
      : [];
  }),
};

const LISTED =
  /\b(?:one of|either|allowed values?|valid values?|possible values?|options?(?: are| is)?)(?:\s*:)?\s+((?:["'`][\w.-]+["'`]\s*(?:,|\bor\b|\||\/)\s*){2,}(?:or\s+)?["'`][\w.-]+["'`])/iu;

export const enumDeclared: LintRule = {
  id: 'LNT-04',
  name: 'enum-declared',
  level: 'advice',
  sentence: 'Allowed values are listed in prose.',
  fix: 'Declare them as an enum.',
  inspect: perTool(({ nodes }) =>
    nodes.flatMap(({ schema, pointer, keyword }) => {
      if (!isJsonObject(schema) || keyword !== 'properties' || schema['type'] !== 'string') return [];
      const description = ownMember(schema, 'description');
      const listed = typeof description === 'string' ? LISTED.exec(description)?.[1] : undefined;
      return listed === undefined || Object.hasOwn(schema, 'enum')
        ? []
        : [{ where: `inputSchema${pointer}`, detail: excerpt(listed, 60) }];
    }),
  ),
};

export const parameterCount: LintRule = {
  id: 'LNT-06',
  name: 'parameter-count',
  level: 'advice',
  sentence: `The tool has more than ${MANY} parameters.`,
  fix: 'Split the tool, or group parameters that belong together.',
  inspect: perTool((subject) => {
    const count = Object.keys(propertiesOf(rootOf(subject))).length;
    return count > MANY ? [{ where: 'inputSchema', detail: `it has ${count}` }] : [];
  }),
};

const DISPATCH = new Set(['operation', 'action', 'command', 'method', 'subcommand']);

export const overloaded: LintRule = {
  id: 'LNT-14',
  name: 'overloaded-tool',
  level: 'advice',
  sentence: 'One free-text parameter decides what the tool does.',
  fix: 'Offer one tool per operation, or declare the operations as an enum.',
  inspect: perTool((subject) => {
    const properties = propertiesOf(rootOf(subject));
    const others = Object.keys(properties).length - 1;
    return Object.entries(properties)
      .filter(([key, schema]) => {
        if (!DISPATCH.has(key.toLowerCase()) || !isJsonObject(schema) || others === 0) return false;
        return schema['type'] === 'string' && !Object.hasOwn(schema, 'enum') && !Object.hasOwn(schema, 'const');
      })
      .map(([key]) => ({ where: `inputSchema/properties/${key}` }));
  }),
};
