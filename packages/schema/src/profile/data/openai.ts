import type { Profile } from '../profile.js';
import type { ProfileRule } from '../rule.js';
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
