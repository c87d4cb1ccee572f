/** The providers and hosts whose limits on tools are known. */
export const PROFILE_IDS = [
  'openai-strict',
  'openai',
  'azure',
  'anthropic-strict',
  'anthropic',
  'gemini',
  'bedrock',
  'cursor',
  'vscode',
  'claude-code',
  'claude-connectors',
] as const;
export type ProfileId = (typeof PROFILE_IDS)[number];
