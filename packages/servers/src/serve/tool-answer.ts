import type { CallToolResult } from '@modelcontextprotocol/server';
import { WordedError } from './worded-error.js';

/** Structured for programs, and once as text: in words where there are some, else as JSON. */
export const answer = (structuredContent: Record<string, unknown>, text?: string): CallToolResult => ({
  content: [{ type: 'text', text: text ?? JSON.stringify(structuredContent) }],
  structuredContent,
});

type Work = () => CallToolResult | Promise<CallToolResult>;

/** Refusals become results that a model can read; anything else says `unexpected`, which tells nothing of the host. */
export const guardedBy =
  (unexpected: string) =>
  async (work: Work): Promise<CallToolResult> => {
    try {
      return await work();
    } catch (error) {
      const text = error instanceof WordedError ? `${error.code}: ${error.message} ${error.hint}` : unexpected;
      return { content: [{ type: 'text', text }], isError: true };
    }
  };
