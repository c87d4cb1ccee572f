import type { ToolDefinition } from '@plugboard/contract';
import type { ProfileId } from '../profile/registry.js';

export const TOOL_LIBRARIES = ['langchain', 'ai-sdk', 'openai-agents'] as const;
/** A library whose models take tools in one form, whatever the provider behind them. */
export type ToolLibrary = (typeof TOOL_LIBRARIES)[number];

const OPENAI: ReadonlySet<ProfileId> = new Set(['openai', 'openai-strict', 'azure']);

/** Whether tools with the limits of this profile can be given to the library. */
export const librarySupports = (library: ToolLibrary, profile: ProfileId): boolean =>
  library !== 'openai-agents' || OPENAI.has(profile);

/**
 * A tool as a library takes it in JSON: the tool parameters of LangChain's `bindTools`, the function tools of the AI
 * SDK's language models, the function tools of the models of the OpenAI Agents SDK. The definition must have been
 * adapted to the profile before.
 */
export const toLibraryShape = (tool: ToolDefinition, library: ToolLibrary, profile: ProfileId): object => {
  const { name, inputSchema } = tool;
  const described = typeof tool.description === 'string' ? { description: tool.description } : {};
  // OpenAI's Responses is strict unless it is told otherwise.
  const strict = profile === 'openai-strict' || profile === 'anthropic-strict';
  switch (library) {
    case 'langchain':
      return { name, ...described, schema: inputSchema };
    case 'ai-sdk':
      return { type: 'function', name, ...described, inputSchema, strict };
    case 'openai-agents':
      return { type: 'function', name, description: '', ...described, parameters: inputSchema, strict };
  }
};
