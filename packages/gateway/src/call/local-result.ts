import type { JsonObject } from '@plugboard/wire';
import type { McpCall } from './mcp-call.js';

/** A result of tools/call that the hub itself gives, in the form of the client's era. */
export const localResult = (
  { client }: Pick<McpCall, 'client'>,
  text: string,
  more: { readonly isError?: boolean; readonly structuredContent?: JsonObject } = {},
): JsonObject => ({
  ...(client.revision.era === 'modern' ? { resultType: 'complete' } : {}),
  content: [{ type: 'text', text }],
  ...more,
});
