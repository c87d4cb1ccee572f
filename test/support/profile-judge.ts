import { checkAgainstProfile, isAccepted, PROFILES, type ProfileId } from '@plugboard/schema';
import type { LlmApi, ToolJudge } from '@plugboard/testing/llm';

const profileOf = (api: LlmApi, strict: boolean): ProfileId => {
  switch (api) {
    case 'openai-chat':
    case 'openai-responses':
      return strict ? 'openai-strict' : 'openai';
    case 'anthropic':
      return strict ? 'anthropic-strict' : 'anthropic';
    case 'bedrock':
      return 'bedrock';
    default:
      return api satisfies never;
  }
};

/** The profiles of the schema doctor as the rules of the double. */
export const profileJudge: ToolJudge = (api, tools) => {
  const profile =
    PROFILES[
      profileOf(
        api,
        tools.some(({ strict }) => strict),
      )
    ];
  const findings = checkAgainstProfile(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    profile,
  );
  return findings
    .filter((finding) => !isAccepted([finding]))
    .map(({ rule, message }) => ({ tool: tools.at(0)?.name ?? '', message: `${rule}: ${message}` }));
};
