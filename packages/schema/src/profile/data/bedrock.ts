import type { Profile } from '../definition/profile.js';
import { RECORDED, from, SOURCE } from './source.js';

/** Amazon Bedrock's Converse API, whatever model is behind it. */
export const bedrock: Profile = {
  id: 'bedrock',
  title: 'Amazon Bedrock',
  kind: 'provider',
  recorded: RECORDED,
  nullStyle: 'type-list',
  rules: [
    { ...from('BED-01', SOURCE.bedrockTool), check: 'tool-name', pattern: '^[a-zA-Z0-9_-]+$', max: 64 },
    { ...from('BED-01', SOURCE.bedrockTool), check: 'unique-names' },
    { ...from('BED-02', SOURCE.bedrockDescription), check: 'description', min: 1 },
    { ...from('BED-03', SOURCE.bedrockTool), check: 'root-object' },
    // Claude behind Converse refuses what Claude refuses; other models do not
    {
      ...from('BED-04', SOURCE.anthropicRoot, 'warning'),
      check: 'root-keywords',
      forbidden: ['oneOf', 'anyOf', 'allOf'],
    },
    { ...from('BED-05', SOURCE.dialect), check: 'well-formed' },
  ],
};
