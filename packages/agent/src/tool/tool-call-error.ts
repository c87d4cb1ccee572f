import type { McpClientError } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';

/** The server could not be asked, or refused the call. The cause is the client's error. */
export class ToolCallError extends PlugboardError {
  override readonly name = 'ToolCallError';
  readonly tool: string;

  constructor(tool: string, cause: McpClientError) {
    const detail =
      cause.code === 'SESSION_LOST'
        ? 'The server terminated the connection. Retry later.'
        : (cause.rpc?.message ?? cause.message);
    super(cause.code, `MCP tool '${tool}' failed: ${detail}`, {
      hint: cause.advice,
      details: cause.details,
      retryAfterMs: cause.retryAfterMs,
      cause,
    });
    this.tool = tool;
  }
}
