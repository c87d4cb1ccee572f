import type { ToolDefinition } from '@plugboard/contract';
import { adaptList, type ProfileId } from '@plugboard/schema';
import { isObject } from '../connection/json.js';
import type { AskTool } from './ask.js';
import type { LlmApi } from './target.js';

/** A tool as the provider gets it. */
export interface AdaptedTool extends AskTool {
  /** Its name on the server. */
  readonly original: string;
  /** Why the schema doctor cannot adapt it; such a tool is not sent. */
  readonly rejection?: string;
}

/** The profile of the schema doctor that belongs to an API. */
const PROFILE_OF: Readonly<Record<LlmApi, ProfileId>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  bedrock: 'bedrock',
};

/** The tools of a server in the form that this API accepts. */
export const adaptedTools = (definitions: readonly ToolDefinition[], api: LlmApi): readonly AdaptedTool[] =>
  adaptList(definitions, PROFILE_OF[api]).tools.map(({ definition, verdict, reasons }, index) => ({
    original: definitions[index]?.name ?? definition.name,
    name: definition.name,
    description: typeof definition.description === 'string' ? definition.description : definition.name,
    inputSchema: isObject(definition.inputSchema) ? definition.inputSchema : {},
    ...(verdict === 'rejected' ? { rejection: reasons.map(({ message }) => message).join(' ') } : {}),
  }));
