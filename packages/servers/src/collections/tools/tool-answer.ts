import type { CallToolResult } from '@modelcontextprotocol/server';
import { CollectionError } from '../collections-error.js';

/** Structured for programs, and once as text, in words. */
export const answer = (structuredContent: Record<string, unknown>, text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent,
});

/** Refusals become results that a model can read; anything unexpected says nothing of the host. */
export const guarded = async (work: () => Promise<CallToolResult>): Promise<CallToolResult> => {
  try {
    return await work();
  } catch (error) {
    const text =
      error instanceof CollectionError
        ? `${error.code}: ${error.message} ${error.hint}`
        : 'The server could not do that. Try again; if it happens again, restart it.';
    return { content: [{ type: 'text', text }], isError: true };
  }
};
