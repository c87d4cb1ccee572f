import type { AgentCreate, AgentUpdate, KeptAgent, PageQuery } from '@plugboard/contract';

/** One that depends on what is stored is a function: nobody else changes the agent until what it returns is stored. */
export type AgentChange = AgentUpdate | ((stored: KeptAgent) => AgentUpdate);

/** Callers of tools, each with variables of its own and only what it was given. */
export interface Agents {
  list(page?: PageQuery): Promise<readonly KeptAgent[]>;
  /** By id or name. Rejects with NOT_FOUND. */
  get(idOrName: string): Promise<KeptAgent>;
  /** From memory, as last read; undefined when there is none. */
  known(id: string): KeptAgent | undefined;
  /** Rejects with CONFLICT when the name is taken, INVALID_ARGUMENT when it is given what there is not. */
  create(input: AgentCreate): Promise<KeptAgent>;
  /** What is left out stays; `variables` replaces all, and a masked value stands for the stored one. */
  update(idOrName: string, change: AgentChange): Promise<KeptAgent>;
  /** Its keys are revoked with it. */
  delete(idOrName: string): Promise<void>;
  /** Makes sure that `known` is no older than a few seconds. */
  refresh(): Promise<void>;
  /** Reads them again: another process changed them. */
  reread(): Promise<void>;
}
