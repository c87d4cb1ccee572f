import type { ToolDefinition } from '@plugboard/contract';
import { isProfileId, PROFILE_IDS, type ProfileId } from '../profile/registry.js';

/** APIs that share the limits of a profile and have a form of their own. */
const API_PROFILES = {
  'openai-responses': 'openai',
  'openai-responses-strict': 'openai-strict',
} as const satisfies Readonly<Record<string, ProfileId>>;
type ApiId = keyof typeof API_PROFILES;

/** A provider, or one of its APIs, that has a form for tools. */
export type ProviderShape = ProfileId | ApiId;

const isApiId = (value: string): value is ApiId => Object.hasOwn(API_PROFILES, value);

export const PROVIDER_SHAPES: readonly ProviderShape[] = [
  ...PROFILE_IDS,
  ...Object.keys(API_PROFILES).filter((id) => isApiId(id)),
];

export const isProviderShape = (value: string): value is ProviderShape => isProfileId(value) || isApiId(value);

/** The limits that hold for tools of this form. */
export const profileOfShape = (shape: ProviderShape): ProfileId => (isProfileId(shape) ? shape : API_PROFILES[shape]);

/** The form of one tool in a list of this form, when the tool follows other rules than the list. */
export const shapeFor = (shape: ProviderShape, held: ProfileId): ProviderShape => {
  if (profileOfShape(shape) === held) return shape;
  return shape === 'openai-responses-strict' ? 'openai-responses' : held;
};

/**
 * A tool as the API of its provider takes it. Hosts speak MCP: theirs stays what it is. The definition must have been
 * adapted to the profile before.
 */
export const toProviderShape = (tool: ToolDefinition, shape: ProviderShape): object => {
  const { name, inputSchema } = tool;
  const described = typeof tool.description === 'string' ? { description: tool.description } : {};
  switch (shape) {
    case 'openai-strict':
      return { type: 'function', function: { name, ...described, parameters: inputSchema, strict: true } };
    case 'openai':
    case 'azure':
      return { type: 'function', function: { name, ...described, parameters: inputSchema } };
    case 'openai-responses':
    case 'openai-responses-strict':
      // Responses is strict unless it is told otherwise.
      return {
        type: 'function',
        name,
        ...described,
        parameters: inputSchema,
        strict: shape === 'openai-responses-strict',
      };
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
