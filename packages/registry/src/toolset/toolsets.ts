import { randomUUID } from 'node:crypto';
import {
  PlugboardError,
  type PageQuery,
  type Toolset,
  type ToolsetCreate,
  type ToolsetUpdate,
} from '@plugboard/contract';
import type { Catalogue } from '../catalogue/catalogue.js';
import { paged } from '../store/paged.js';
import { isoTime, type Clock } from '../port/clock.js';
import { assertNotChanged, timeOfChange } from '../store/change-condition.js';
import type { Store, StoreTransaction } from '../store/store.js';
import { checkToolset } from './check-toolset.js';

const chosen = <Value>(given: Value | undefined, before: Value): Value => (given === undefined ? before : given);

/** The toolset with what the update names; what is left out stays. */
const changedToolset = (before: Toolset, update: ToolsetUpdate, updatedAt: string): Toolset => ({
  ...before,
  name: chosen(update.name, before.name),
  description: chosen(update.description, before.description),
  entries: chosen(update.entries, before.entries),
  read_only: chosen(update.read_only, before.read_only),
  provider: chosen(update.provider, before.provider),
  exposure: chosen(update.exposure, before.exposure),
  updated_at: updatedAt,
});

export interface ToolsetParts {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

const notFound = (idOrName: string): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'The toolset does not exist.', {
    hint: { api: 'GET /v1/toolsets lists them.', cli: '`plugboard toolset list` shows them.' },
    details: { toolset: idOrName.slice(0, 128) },
  });

const requireFreeName = async (transaction: StoreTransaction, { id, name }: Toolset): Promise<void> => {
  const holder = await transaction.toolsetIdByName(name);
  if (holder === undefined || holder === id) return;
  throw new PlugboardError('CONFLICT', `A toolset named "${name}" already exists.`, {
    hint: 'Choose another name, or change the toolset that has it.',
    details: { toolset_id: holder },
  });
};

/** Curated selections of tools, each served as one endpoint. Read from memory that is checked against the store. */
export class Toolsets {
  readonly #parts: ToolsetParts;

  constructor(parts: ToolsetParts) {
    this.#parts = parts;
  }

  async list(page?: PageQuery): Promise<readonly Toolset[]> {
    await this.#parts.catalogue.refresh();
    return paged(this.#parts.catalogue.toolsets(), page);
  }

  /** By id or name. Rejects with NOT_FOUND. */
  async get(idOrName: string): Promise<Toolset> {
    await this.#parts.catalogue.refresh();
    const toolsets = this.#parts.catalogue.toolsets();
    const found = toolsets.find(({ id }) => id === idOrName) ?? toolsets.find(({ name }) => name === idOrName);
    if (found === undefined) throw notFound(idOrName);
    return found;
  }

  /** Rejects with CONFLICT when the name is taken, INVALID_ARGUMENT when an entry makes no sense. */
  async create(input: ToolsetCreate): Promise<Toolset> {
    const at = isoTime(this.#parts.clock.now());
    const empty: Toolset = {
      id: `toolset-${randomUUID()}`,
      name: input.name,
      description: null,
      entries: [],
      read_only: false,
      provider: null,
      exposure: 'all',
      created_at: at,
      updated_at: at,
    };
    const toolset = changedToolset(empty, input, at);
    await this.#put(async () => toolset);
    return toolset;
  }

  /** What is left out stays. Rejects with CONFLICT when it is not the state that `if_updated_at` names. */
  async update(idOrName: string, update: ToolsetUpdate): Promise<Toolset> {
    const { id } = await this.get(idOrName);
    return this.#put(async (transaction) => {
      const stored = await transaction.toolset(id);
      if (stored === undefined) throw notFound(idOrName);
      assertNotChanged('toolset', stored, update);
      return changedToolset(stored, update, timeOfChange(stored, this.#parts.clock.now()));
    });
  }

  /** Rejects with NOT_FOUND, also when somebody else removes it first. */
  async delete(idOrName: string): Promise<Toolset> {
    const { id } = await this.get(idOrName);
    const toolset = await this.#parts.store.transaction(async (transaction) => {
      const stored = await transaction.toolset(id);
      if (stored === undefined) throw notFound(idOrName);
      await transaction.deleteToolset(id);
      return stored;
    });
    await this.#parts.catalogue.refresh();
    return toolset;
  }

  async #put(make: (transaction: StoreTransaction) => Promise<Toolset>): Promise<Toolset> {
    await this.#parts.catalogue.refresh();
    const serverIds = new Set<string>(this.#parts.catalogue.all().map(({ stored }) => stored.server.id));
    const toolset = await this.#parts.store.transaction(async (transaction) => {
      const made = await make(transaction);
      checkToolset(made, serverIds);
      await requireFreeName(transaction, made);
      await transaction.putToolset(made);
      return made;
    });
    await this.#parts.catalogue.refresh();
    return toolset;
  }
}
