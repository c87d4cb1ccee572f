import type { CallToolResult } from '@modelcontextprotocol/server';
import { SandboxError } from '../sandbox-error.js';

/** Structured for programs; in words, and as JSON for clients that read only text. */
export const answer = (structuredContent: Record<string, unknown>, text?: string): CallToolResult => ({
  content: [...(text === undefined ? [] : [text]), JSON.stringify(structuredContent)].map((block) => ({
    type: 'text' as const,
    text: block,
  })),
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
