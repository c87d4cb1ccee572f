import type { Profile } from '../definition/profile.js';
import { openaiToolRules } from './openai.js';
import { RECORDED, from, SOURCE } from './source.js';

/** Azure OpenAI: OpenAI's rules, and descriptions beyond 1,024 characters are refused. */
export const azure: Profile = {
  id: 'azure',
  title: 'Azure OpenAI',
  kind: 'provider',
  recorded: RECORDED,
  nullStyle: 'type-list',
  rules: [...openaiToolRules, { ...from('AZR-01', SOURCE.azureDescription), check: 'description', max: 1024 }],
};
