import type { Profile } from '../profile.js';
import { anthropicToolRules } from './anthropic.js';
import { RECORDED, from, SOURCE } from './source.js';

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
