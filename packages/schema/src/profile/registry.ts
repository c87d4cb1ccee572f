import type { ProfileId } from '@plugboard/contract';
import { anthropic, anthropicStrict } from './data/anthropic.js';
import { azure } from './data/azure.js';
import { bedrock } from './data/bedrock.js';
import { gemini } from './data/gemini.js';
import { claudeCode, claudeConnectors, cursor, vscode } from './data/hosts.js';
import { openaiStrict, openai } from './data/openai.js';
import type { Profile } from './definition/profile.js';

export { PROFILE_IDS, type ProfileId } from '@plugboard/contract';

/** Every provider and host that is known, by id. */
export const PROFILES: Readonly<Record<ProfileId, Profile>> = {
  'openai-strict': openaiStrict,
  openai,
  azure,
  'anthropic-strict': anthropicStrict,
  anthropic,
  gemini,
  bedrock,
  cursor,
  vscode,
  'claude-code': claudeCode,
  'claude-connectors': claudeConnectors,
};

export const isProfileId = (value: unknown): value is ProfileId =>
  typeof value === 'string' && Object.hasOwn(PROFILES, value);
