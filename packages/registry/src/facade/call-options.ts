import type { AgentId, LoginUser, Server, SyncReport } from '@plugboard/contract';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The agent on whose behalf: its variables come first. */
  readonly agent?: AgentId | undefined;
  /** Whose login to the server is used; the hub's, or the agent's, when left out. */
  readonly user?: LoginUser | undefined;
}

export interface SyncOptions extends CallOptions {
  /** Report what would change, and change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Somebody asks by hand: earlier failures of the server are no reason to leave it alone. */
  readonly byHand?: boolean | undefined;
}

export interface Registration {
  readonly server: Server;
  readonly sync: SyncReport;
}
