import type { KeptAgent, AgentId } from '@plugboard/contract';
import type { SecretBox } from '../secret/secret-box.js';
import { fromAgentRow, toAgentRow } from './agent-row.js';
import type { AgentStore, StoredAgent } from './agent-store.js';
import type { SqlChangeEngine } from './sql-audit-store.js';

export class SqlAgentStore implements AgentStore {
  readonly #engine: SqlChangeEngine;
  readonly #box: SecretBox;

  constructor(engine: SqlChangeEngine, box: SecretBox) {
    this.#engine = engine;
    this.#box = box;
  }

  async all(): Promise<readonly StoredAgent[]> {
    const query = this.#engine.db.selectFrom('agents').selectAll().orderBy('created_at').orderBy('id');
    const rows = await this.#engine.guarded(() => query.execute());
    return rows.map((row) => fromAgentRow(row, this.#box));
  }

  async insert(agent: KeptAgent): Promise<void> {
    await this.#engine.change((db) => db.insertInto('agents').values(toAgentRow(agent, this.#box)).execute());
  }

  update(id: AgentId, change: (stored: StoredAgent) => KeptAgent): Promise<KeptAgent | undefined> {
    return this.#engine.change(async (db) => {
      const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
      if (row === undefined) return undefined;
      const changed = change(fromAgentRow(row, this.#box));
      const { id: _same, ...columns } = toAgentRow(changed, this.#box);
      await db.updateTable('agents').set(columns).where('id', '=', id).execute();
      return changed;
    });
  }

  delete(id: AgentId, at: string): Promise<boolean> {
    return this.#engine.change(async (db) => {
      await db
        .updateTable('api_keys')
        .set({ revoked_at: Date.parse(at) })
        .where('agent_id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
      const { numDeletedRows } = await db.deleteFrom('agents').where('id', '=', id).executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    });
  }
}
