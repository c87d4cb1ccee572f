import type { Agent, AgentCreate, AgentUpdate, PageQuery } from '@plugboard/contract';

/** Callers of tools, each with variables of its own and only what it was given. */
export interface Agents {
  list(page?: PageQuery): Promise<readonly Agent[]>;
  /** By id or name. Rejects with NOT_FOUND. */
  get(idOrName: string): Promise<Agent>;
  /** From memory, as last read; undefined when there is none. */
  known(id: string): Agent | undefined;
  /** Rejects with CONFLICT when the name is taken, INVALID_ARGUMENT when it is given what there is not. */
  create(input: AgentCreate): Promise<Agent>;
  /** What is left out stays; `variables` replaces all, and a masked value stands for the stored one. */
  update(idOrName: string, update: AgentUpdate): Promise<Agent>;
  /** Its keys are revoked with it. */
  delete(idOrName: string): Promise<void>;
  /** Makes sure that `known` is no older than a few seconds. */
  refresh(): Promise<void>;
}
