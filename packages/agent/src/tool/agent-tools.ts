import type { McpClient } from '@plugboard/client';
import type { ProfileFinding, ProfileId } from '@plugboard/schema';
import type { AgentTool } from './agent-tool.js';

export interface RejectedTool {
  readonly server: string;
  readonly tool: string;
  readonly reasons: readonly ProfileFinding[];
}

/** The tools of an agent, and the clients that they use. `await using` releases the clients. */
export interface AgentTools extends AsyncDisposable {
  readonly provider: ProfileId;
  readonly tools: readonly AgentTool[];
  readonly clients: readonly McpClient[];
  /** Tools that the provider does not accept in any form. */
  readonly rejected: readonly RejectedTool[];
  dispose(): Promise<void>;
}
