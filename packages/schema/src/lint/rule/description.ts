import { isJsonObject } from '@plugboard/base';
import { ownMember } from '../../document/json-schema.js';
import { typesOf } from '../../profile/definition/schema-view.js';
import { perTool, type LintRule } from './lint-rule.js';

const SHORTEST = 20;
const LONGEST = 1024;

export const toolDescription: LintRule = {
  id: 'LNT-01',
  name: 'tool-description',
  level: 'warning',
  sentence: 'The description of the tool is missing, too short, or too long.',
  fix: `Describe in ${SHORTEST} to ${LONGEST} characters what the tool does and when to use it.`,
  inspect: perTool(({ tool }) => {
    const text = typeof tool.description === 'string' ? tool.description.trim() : '';
    if (text === '') return [{ where: 'description', detail: 'it is missing' }];
    if (text.length < SHORTEST) return [{ where: 'description', detail: `it has ${text.length} characters` }];
    return text.length > LONGEST ? [{ where: 'description', detail: `it has ${text.length} characters` }] : [];
  }),
};

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

export const parameterDescription: LintRule = {
  id: 'LNT-02',
  name: 'parameter-description',
  level: 'advice',
  sentence: 'A parameter has no description.',
  fix: 'Describe its meaning and format, and give an example.',
  inspect: perTool(({ nodes }) =>
    nodes
      .filter(({ keyword, depth, schema }) => keyword === 'properties' && depth === 1 && isJsonObject(schema))
      .filter(
        ({ schema }) => isJsonObject(schema) && !isFilled(schema['description']) && !Object.hasOwn(schema, '$ref'),
      )
      .map(({ pointer }) => ({ where: `inputSchema${pointer}` })),
  ),
};

const MEASURED =
  /(?:^|_)(?:timeout|interval|duration|delay|ttl|expiry|expires?|age|size|length|distance|radius|width|height)(?:$|_)/iu;
const UNIT =
  /\b(?:ms|milliseconds?|s|secs?|seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|bytes?|[kmg]i?b|kilobytes?|megabytes?|characters?|chars|tokens?|lines?|items?|rows?|pixels?|px|metres?|meters?|km|miles?|percent|%|iso ?8601|unix|epoch|timestamp|number of)\b|%/iu;

const words = (key: string): string => key.replaceAll(/([a-z])([A-Z])/gu, '$1_$2').replaceAll('-', '_');

export const unitNamed: LintRule = {
  id: 'LNT-21',
  name: 'unit-named',
  level: 'advice',
  sentence: 'A parameter with a quantity does not name its unit.',
  fix: 'Name the unit in the description or in the key, such as timeout_ms.',
  inspect: perTool(({ nodes }) =>
    nodes.flatMap(({ keyword, key, schema, pointer }) => {
      if (keyword !== 'properties' || key === undefined || !isJsonObject(schema)) return [];
      const isNumeric = typesOf(schema).some((type) => type === 'number' || type === 'integer');
      const name = words(key);
      const description = ownMember(schema, 'description');
      const said = `${typeof description === 'string' ? description : ''} ${name.replaceAll('_', ' ')}`;
      return isNumeric && MEASURED.test(name) && !UNIT.test(said) ? [{ where: `inputSchema${pointer}` }] : [];
    }),
  ),
};
