import type { Progress } from '@plugboard/client';
import type { Grade, ToolDefinition } from '@plugboard/contract';
import type { ProfileId } from '@plugboard/schema';
import type { ToolOutcome } from '../result/tool-outcome.js';

export interface AgentToolMetadata {
  readonly tool_type: 'mcp';
  /** The name that the server gave the tool. */
  readonly display_name: string;
  readonly folder_path: string | undefined;
  readonly slug: string | undefined;
  readonly server_id: string | undefined;
  readonly server_name: string;
  readonly tags: readonly string[];
  readonly annotations: unknown;
  readonly grade: Grade;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A tool of an MCP server as a model sees it. */
export interface AgentTool {
  /** Unique among the tools of the agent, and legal for the provider. */
  readonly name: string;
  readonly upstreamName: string;
  /** Adapted to the provider. It changes when a call finds that the tool has changed. */
  readonly definition: ToolDefinition;
  /** Whose rules the definition follows: of a strict provider, its other rules for a tool that strict ones cannot hold. */
  readonly profile: ProfileId;
  readonly metadata: AgentToolMetadata;
  /** Calls the tool with the arguments of the model. Only a failure of the connection is thrown. */
  call(args: unknown, options?: CallOptions): Promise<ToolOutcome>;
}
