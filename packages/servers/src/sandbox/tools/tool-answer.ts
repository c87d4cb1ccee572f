import type { CallToolResult } from '@modelcontextprotocol/server';
import { SandboxError } from '../sandbox-error.js';

/** Structured for programs, and once as text: in words where there are some, else as JSON. */
export const answer = (structuredContent: Record<string, unknown>, text?: string): CallToolResult => ({
  content: [{ type: 'text', text: text ?? JSON.stringify(structuredContent) }],
  structuredContent,
});

/** Refusals become results that a model can read; anything unexpected says nothing of the host. */
export const guarded = async (work: () => CallToolResult | Promise<CallToolResult>): Promise<CallToolResult> => {
  try {
    return await work();
  } catch (error) {
    const text =
      error instanceof SandboxError
        ? `${error.code}: ${error.message} ${error.hint}`
        : 'ENGINE_FAULT: The sandbox could not do that. Try again; if it happens again, restart the server.';
    return { content: [{ type: 'text', text }], isError: true };
  }
};
