import type { PageQuery, Toolset, ToolsetCreate, ToolsetUpdate } from '@plugboard/contract';

/** Curated selections of tools, each served as one endpoint. */
export interface Toolsets {
  list(page?: PageQuery): Promise<readonly Toolset[]>;
  /** By id or name. Rejects with NOT_FOUND. */
  get(idOrName: string): Promise<Toolset>;
  /** Rejects with CONFLICT when the name is taken, INVALID_ARGUMENT when an entry makes no sense. */
  create(input: ToolsetCreate): Promise<Toolset>;
  /** What is left out stays. */
  update(idOrName: string, update: ToolsetUpdate): Promise<Toolset>;
  delete(idOrName: string): Promise<Toolset>;
}
