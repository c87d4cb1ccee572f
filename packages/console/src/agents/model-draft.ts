import type { AgentModel } from '@plugboard/contract';

/** The model of an agent as a person types it. */
export interface ModelDraft {
  readonly provider: AgentModel['provider'];
  readonly name: string;
  readonly baseUrl: string;
  readonly instructions: string;
}

/** The providers, and the variables of the agent that hold their credentials. */
export const PROVIDERS: Readonly<
  Record<AgentModel['provider'], { readonly title: string; readonly variables: string }>
> = {
  openai: { title: 'OpenAI Chat Completions, or a server that offers them', variables: 'OPENAI_API_KEY' },
  'openai-responses': { title: 'OpenAI Responses', variables: 'OPENAI_API_KEY' },
  anthropic: { title: 'Anthropic', variables: 'ANTHROPIC_API_KEY' },
  bedrock: { title: 'Amazon Bedrock', variables: 'AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY' },
};

export const modelDraftOf = (model: AgentModel | null | undefined): ModelDraft => ({
  provider: model?.provider ?? 'anthropic',
  name: model?.name ?? '',
  baseUrl: model?.base_url ?? '',
  instructions: model?.instructions ?? '',
});

/** Why the draft cannot be saved; undefined when it can. */
export const modelProblem = ({ name, baseUrl }: ModelDraft): string | undefined => {
  if (name.trim() === '') return 'Name the model as its provider calls it.';
  return baseUrl.trim() === '' || /^https?:\/\/\S+$/u.test(baseUrl.trim())
    ? undefined
    : 'The URL begins with https://.';
};

/** The draft as the hub keeps it. What the form does not show stays as it was. */
export const modelOf = (before: AgentModel | null | undefined, draft: ModelDraft): AgentModel => {
  const { base_url: _url, instructions: _said, ...rest } = before ?? {};
  const baseUrl = draft.baseUrl.trim();
  const instructions = draft.instructions.trim();
  return {
    ...rest,
    provider: draft.provider,
    name: draft.name.trim(),
    ...(baseUrl === '' ? {} : { base_url: baseUrl }),
    ...(instructions === '' ? {} : { instructions }),
  };
};
