import type { Profile } from '../definition/profile.js';
import type { ProfileRule } from '../definition/rule.js';
import { RECORDED, from, SOURCE } from './source.js';

/** What the Messages API asks of every input schema. */
export const anthropicSchemaRules: readonly ProfileRule[] = [
  { ...from('ANT-02', SOURCE.anthropicKeys), check: 'property-keys', pattern: '^[a-zA-Z0-9_.-]{1,64}$' },
  { ...from('ANT-03', SOURCE.anthropicRoot), check: 'root-object' },
  { ...from('ANT-03', SOURCE.anthropicRoot), check: 'root-keywords', forbidden: ['oneOf', 'anyOf', 'allOf'] },
  { ...from('ANT-07', SOURCE.anthropicDialect), check: 'well-formed' },
];

/** What it asks of every tool. */
export const anthropicToolRules: readonly ProfileRule[] = [
  { ...from('ANT-01', SOURCE.anthropicName), check: 'tool-name', pattern: '^[a-zA-Z0-9_-]+$', max: 128 },
  { ...from('ANT-01', SOURCE.anthropicName), check: 'unique-names' },
  ...anthropicSchemaRules,
];

/** The Messages API without `strict`. */
export const anthropic: Profile = {
  id: 'anthropic',
  title: 'Anthropic',
  kind: 'provider',
  recorded: RECORDED,
  nullStyle: 'type-list',
  rules: anthropicToolRules,
};

const KEYWORDS = (
  'type properties required additionalProperties items enum const anyOf $ref $defs definitions ' +
  'title description default pattern format minItems'
).split(' ');

/** The Messages API with `strict: true` on the tool: the schema is compiled to a grammar. */
export const anthropicStrict: Profile = {
  id: 'anthropic-strict',
  title: 'Anthropic (strict)',
  kind: 'provider',
  recorded: RECORDED,
  nullStyle: 'type-list',
  rules: [
    ...anthropicToolRules,
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'closed-objects' },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'required-declared' },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'keywords', allowed: KEYWORDS },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'typed', by: ['type', 'anyOf', '$ref', 'enum', 'const'] },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'references', allowed: 'non-recursive' },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'scalar-enums' },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'min-items', max: 1 },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'plain-patterns' },
    {
      ...from('ANT-04', SOURCE.anthropicStrict),
      check: 'formats',
      allowed: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
    },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'tool-count', max: 20 },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'optional-total', max: 24 },
    { ...from('ANT-04', SOURCE.anthropicStrict), check: 'union-total', max: 16 },
  ],
};
