import { randomUUID } from 'node:crypto';
import {
  PlugboardError,
  type AgentCreate,
  type AgentId,
  type AgentUpdate,
  type CatalogueSnapshot,
  type KeptAgent,
  type PageQuery,
} from '@plugboard/contract';
import { paged } from '../store/paged.js';
import { isoTime, type Clock } from '../port/clock.js';
import { assertNotChanged, timeOfChange } from '../store/change-condition.js';
import type { AgentStore, StoredAgent } from '../store/agent-store.js';
import { Recent } from '../cache/recent.js';
import { changedAgent } from './changed-agent.js';
import { checkAgent } from './check-agent.js';

export interface AgentsParts {
  readonly store: AgentStore;
  readonly clock: Clock;
  readonly snapshot: () => CatalogueSnapshot;
  /** Called when an agent is no longer what it was: connections that were made for it are stale. */
  readonly onChange: (id: KeptAgent['id']) => void;
  /** An agent is gone, and its keys open nothing from now on. */
  readonly onDelete: (id: AgentId) => Promise<void>;
}

const MAX_AGE_MS = 2000;

const notFound = (idOrName: string): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'There is no agent with this name or id.', {
    hint: { api: 'GET /v1/agents lists them.', cli: '`plugboard agent list` shows them.' },
    details: { agent: idOrName.slice(0, 128) },
  });

const nameTaken = (name: string): PlugboardError =>
  new PlugboardError('CONFLICT', `An agent named "${name}" already exists.`, {
    hint: 'Choose another name, or change the agent that has it.',
  });

/** One that depends on what is stored is a function: nobody else changes the agent until what it returns is stored. */
export type AgentChange = AgentUpdate | ((stored: KeptAgent) => AgentUpdate);

/** Callers of tools, each with its own variables and grants. Read from memory that is never older than a few seconds. */
export class Agents {
  readonly #parts: AgentsParts;
  readonly #known: Recent<ReadonlyMap<string, StoredAgent>>;

  constructor(parts: AgentsParts) {
    this.#parts = parts;
    this.#known = new Recent({
      load: async () => new Map((await parts.store.all()).map((stored) => [stored.agent.id, stored])),
      clock: parts.clock,
      maxAgeMs: MAX_AGE_MS,
    });
  }

  async list(page?: PageQuery): Promise<readonly KeptAgent[]> {
    const known = await this.#known.reload();
    return paged(
      [...known.values()].map(({ agent }) => agent),
      page,
    );
  }

  /** By id or name. Rejects with NOT_FOUND. */
  async get(idOrName: string): Promise<KeptAgent> {
    return (await this.#find(idOrName)).agent;
  }

  /** From memory, as last read; undefined when there is none. */
  known(id: string): KeptAgent | undefined {
    return this.#known.last?.get(id)?.agent;
  }

  /** Makes sure that `known` is no older than a few seconds. */
  async refresh(): Promise<void> {
    await this.#known.get();
  }

  /** Reads them again: another process changed them. */
  async reread(): Promise<void> {
    await this.#known.reload();
  }

  /** Rejects with CONFLICT when the name is taken, INVALID_ARGUMENT when it is given what there is not. */
  async create(input: AgentCreate): Promise<KeptAgent> {
    const at = isoTime(this.#parts.clock.now());
    const empty: KeptAgent = {
      id: `agent-${randomUUID()}`,
      name: input.name,
      description: null,
      variables: {},
      server_ids: [],
      toolset_ids: [],
      allow_tool_ids: [],
      deny_tool_ids: [],
      created_at: at,
      updated_at: at,
    };
    const agent = changedAgent(empty, input, at);
    checkAgent(agent, undefined, this.#parts.snapshot());
    await this.#requireFreeName(agent);
    await this.#parts.store.insert(agent);
    await this.#known.reload();
    return agent;
  }

  /**
   * What is left out stays; `variables` replaces all, and a masked value stands for the stored one. Rejects with CONFLICT
   * when it is not the state that `if_updated_at` names.
   */
  async update(idOrName: string, change: AgentChange): Promise<KeptAgent> {
    const { agent: found } = await this.#find(idOrName);
    const now = this.#parts.clock.now();
    if (typeof change !== 'function' && change.name !== undefined) {
      await this.#requireFreeName({ id: found.id, name: change.name });
    }
    const changed = await this.#parts.store.update(found.id, (stored) => {
      const update = typeof change === 'function' ? change(stored.agent) : change;
      // To write back variables that could not be opened would lose them for good.
      if (stored.unreadable !== undefined && update.variables === undefined) throw stored.unreadable;
      assertNotChanged('agent', stored.agent, update);
      const after = changedAgent(stored.agent, update, timeOfChange(stored.agent, now));
      checkAgent(after, stored.agent, this.#parts.snapshot());
      return after;
    });
    if (changed === undefined) throw notFound(idOrName);
    await this.#known.reload();
    this.#parts.onChange(found.id);
    return changed;
  }

  /** Its keys are revoked with it. */
  async delete(idOrName: string): Promise<void> {
    const { agent } = await this.#find(idOrName);
    const deleted = await this.#parts.store.delete(agent.id, isoTime(this.#parts.clock.now()));
    await Promise.all([this.#known.reload(), this.#parts.onDelete(agent.id)]);
    this.#parts.onChange(agent.id);
    if (!deleted) throw notFound(idOrName);
  }

  async #find(idOrName: string): Promise<StoredAgent> {
    const known = await this.#known.reload();
    const found = known.get(idOrName) ?? [...known.values()].find(({ agent }) => agent.name === idOrName);
    if (found === undefined) throw notFound(idOrName);
    return found;
  }

  async #requireFreeName({ id, name }: Pick<KeptAgent, 'id' | 'name'>): Promise<void> {
    const known = await this.#known.reload();
    const holder = [...known.values()].find(({ agent }) => agent.name === name);
    if (holder !== undefined && holder.agent.id !== id) throw nameTaken(name);
  }
}
