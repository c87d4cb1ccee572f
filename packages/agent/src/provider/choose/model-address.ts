import { PlugboardError } from '@plugboard/contract';

export const PROVIDER_KINDS = ['openai', 'openai-responses', 'anthropic', 'bedrock'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** A model and the provider that has it: `anthropic:claude-sonnet-5-5`. */
export interface ModelAddress {
  readonly provider: ProviderKind;
  readonly model: string;
}

const isKind = (text: string): text is ProviderKind => (PROVIDER_KINDS as readonly string[]).includes(text);

/** Reads `provider:model`. Names of models may have colons themselves. */
export const parseModelAddress = (text: string): ModelAddress => {
  const colon = text.indexOf(':');
  const provider = text.slice(0, Math.max(0, colon));
  const model = text.slice(colon + 1);
  if (isKind(provider) && model !== '') return { provider, model };
  throw new PlugboardError('INVALID_ARGUMENT', `"${text}" is not a provider and a model.`, {
    hint: `Write provider:model. Providers: ${PROVIDER_KINDS.join(', ')}. Compatible endpoints are "openai" with a base URL.`,
  });
};
