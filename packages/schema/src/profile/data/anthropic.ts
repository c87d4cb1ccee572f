import type { Profile } from '../profile.js';
import type { ProfileRule } from '../rule.js';
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
