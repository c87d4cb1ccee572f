import type { KeptAgent, AgentId, PlugboardError } from '@plugboard/contract';

export interface StoredAgent {
  /** Variables that cannot be opened are missing. */
  readonly agent: KeptAgent;
  readonly unreadable: PlugboardError | undefined;
}

/** Where agents and their variables are kept. */
export interface AgentStore {
  all(): Promise<readonly StoredAgent[]>;
  /** Rejects with CONFLICT when the name is taken. */
  insert(agent: KeptAgent): Promise<void>;
  /** Reads, changes and writes while nobody else writes. Undefined when there is no such agent. */
  update(id: AgentId, change: (stored: StoredAgent) => KeptAgent): Promise<KeptAgent | undefined>;
  /** Removes the agent and revokes its keys. False when there is no such agent. */
  delete(id: AgentId, at: string): Promise<boolean>;
}
