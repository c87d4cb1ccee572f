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
    case 'gemini':
      return api;
    default:
      return api satisfies never;
  }
};

/** The profiles of the schema doctor as the rules of the double. */
export const profileJudge: ToolJudge = (api, tools) => {
  const findingsOf = (judged: typeof tools, strict: boolean) =>
    checkAgainstProfile(
      judged.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      PROFILES[profileOf(api, strict)],
    );
  // Strict rules hold for the strict tools of a request, alone and together; the other rules for all.
  const strict = tools.filter((tool) => tool.strict);
  const findings = [...findingsOf(tools, false), ...(strict.length === 0 ? [] : findingsOf(strict, true))];
  return findings
    .filter((finding) => !isAccepted([finding]))
    .map(({ rule, message }) => ({ tool: tools.at(0)?.name ?? '', message: `${rule}: ${message}` }));
};
