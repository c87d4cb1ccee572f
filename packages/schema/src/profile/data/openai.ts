import type { Profile } from '../definition/profile.js';
import type { ProfileRule } from '../definition/rule.js';
import { RECORDED, from, SOURCE } from './source.js';

/** What OpenAI asks of every tool, strict or not. */
export const openaiToolRules: readonly ProfileRule[] = [
  { ...from('OAI-01', SOURCE.openaiName), check: 'tool-name', pattern: '^[a-zA-Z0-9_-]+$', max: 64 },
  { ...from('OAI-02', SOURCE.openaiCount), check: 'tool-count', max: 128 },
  { ...from('OAI-01', SOURCE.openaiName), check: 'unique-names' },
  { ...from('OAI-04', SOURCE.openaiRoot), check: 'root-object' },
  {
    ...from('OAI-04', SOURCE.openaiRoot),
    check: 'root-keywords',
    forbidden: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
  },
  { ...from('OAI-10', SOURCE.openaiProperties), check: 'root-properties' },
  { ...from('OAI-11', SOURCE.openaiItems), check: 'array-items' },
  { ...from('OAI-12', SOURCE.dialect), check: 'well-formed' },
];

/** Chat Completions and Responses without `strict`. */
export const openai: Profile = {
  id: 'openai',
  title: 'OpenAI',
  kind: 'provider',
  recorded: RECORDED,
  nullStyle: 'type-list',
  rules: [
    ...openaiToolRules,
    { ...from('OAI-03', SOURCE.openaiDescription, 'warning'), check: 'description', max: 1024 },
  ],
};

const KEYWORDS = (
  'type properties required additionalProperties items enum const anyOf $ref $defs definitions ' +
  'title description pattern format multipleOf maximum exclusiveMaximum minimum exclusiveMinimum ' +
  'minItems maxItems'
).split(' ');

/** OpenAI with `strict: true`: arguments are guaranteed, and the schema must be of the supported subset. */
export const openaiStrict: Profile = {
  id: 'openai-strict',
  title: 'OpenAI (strict)',
  kind: 'provider',
  recorded: RECORDED,
  nullStyle: 'type-list',
  rules: [
    ...openaiToolRules,
    { ...from('OAI-03', SOURCE.openaiDescription, 'warning'), check: 'description', max: 1024 },
    { ...from('OAI-05', SOURCE.openaiClosed), check: 'closed-objects' },
    { ...from('OAI-06', SOURCE.openaiRequired), check: 'all-required' },
    { ...from('OAI-06', SOURCE.openaiRequired), check: 'required-declared' },
    { ...from('OAI-07', SOURCE.openaiStructured), check: 'keywords', allowed: KEYWORDS },
    { ...from('OAI-07', SOURCE.openaiStructured), check: 'typed', by: ['type', 'anyOf', '$ref'] },
    { ...from('OAI-07', SOURCE.openaiStructured), check: 'references', allowed: 'any' },
    {
      ...from('OAI-08', SOURCE.openaiFormat),
      check: 'formats',
      allowed: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
    },
    { ...from('OAI-08', SOURCE.openaiStructured), check: 'plain-patterns' },
    { ...from('OAI-09', SOURCE.openaiStructured), check: 'depth', max: 10 },
    { ...from('OAI-09', SOURCE.openaiStructured), check: 'property-total', max: 5000 },
    { ...from('OAI-09', SOURCE.openaiStructured), check: 'enum-total', max: 1000 },
    { ...from('OAI-09', SOURCE.openaiStructured), check: 'large-enum', values: 250, characters: 15_000 },
    { ...from('OAI-09', SOURCE.openaiStructured), check: 'text-total', max: 120_000 },
  ],
};
