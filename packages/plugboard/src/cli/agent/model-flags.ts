import { definedMembers } from '@plugboard/base';
import { parseModelAddress } from '@plugboard/agent';
import type { AgentModel } from '@plugboard/contract';
import { invalidArgument } from '../command/invalid-argument.js';

/** What flags say about the model of an agent. */
export interface ModelFlags {
  /** `provider:model`; false: remove it. */
  readonly model?: string | false | undefined;
  readonly baseUrl?: string | undefined;
  readonly instructions?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly fallback?: string | undefined;
  readonly approval?: AgentModel['approval'];
  /** Undefined: as before. False: no server may ask. */
  readonly samplingServer?: readonly string[] | false | undefined;
}

const membersOf = (flags: ModelFlags): Partial<AgentModel> => {
  const { baseUrl, instructions, maxTokens, maxTurns, fallback, approval, samplingServer } = flags;
  return definedMembers({
    base_url: baseUrl,
    instructions,
    max_tokens: maxTokens,
    max_turns: maxTurns,
    fallback,
    approval,
    sampling_servers: samplingServer === false ? [] : samplingServer && [...samplingServer],
  });
};

/** The change that the flags ask for. Another provider starts afresh; what is not named stays otherwise. */
export const changedModel = (
  before: AgentModel | null | undefined,
  flags: ModelFlags,
): { readonly model?: AgentModel | null } => {
  if (flags.model === false) return { model: null };
  const members = membersOf(flags);
  if (flags.model !== undefined) {
    const { provider, model: name } = parseModelAddress(flags.model);
    return { model: { ...(before?.provider === provider ? before : {}), provider, name, ...members } };
  }
  if (Object.keys(members).length === 0) return {};
  if (before !== null && before !== undefined) return { model: { ...before, ...members } };
  throw invalidArgument(
    'The agent has no model that these flags could change.',
    'Name one as well: --model anthropic:claude-sonnet-5-5',
  );
};
