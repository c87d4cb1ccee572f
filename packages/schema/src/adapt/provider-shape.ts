import type { ToolDefinition } from '@plugboard/contract';
import type { ProfileId } from '../profile/registry.js';

/**
 * A tool as the API of its provider takes it. Hosts speak MCP: theirs stays what it is. The definition must have been
 * adapted to the profile before.
 */
export const toProviderShape = (tool: ToolDefinition, profile: ProfileId): object => {
  const { name, inputSchema } = tool;
  const described = typeof tool.description === 'string' ? { description: tool.description } : {};
  switch (profile) {
    case 'openai-strict':
      return { type: 'function', function: { name, ...described, parameters: inputSchema, strict: true } };
    case 'openai':
    case 'azure':
      return { type: 'function', function: { name, ...described, parameters: inputSchema } };
    case 'anthropic-strict':
      return { name, ...described, input_schema: inputSchema, strict: true };
    case 'anthropic':
      return { name, ...described, input_schema: inputSchema };
    case 'gemini':
      return { name, ...described, parameters: inputSchema };
    case 'bedrock':
      return { toolSpec: { name, ...described, inputSchema: { json: inputSchema } } };
    case 'cursor':
    case 'vscode':
    case 'claude-code':
    case 'claude-connectors':
      return tool;
  }
};
