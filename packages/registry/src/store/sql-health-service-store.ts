import type { HealthService } from '@plugboard/contract';
import { isoTime } from '../port/clock.js';
import type { HealthServiceStore } from './health-service-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';

export class SqlHealthServiceStore implements HealthServiceStore {
  readonly #engine: SqlAuditEngine;

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  async all(): Promise<readonly HealthService[]> {
    const query = this.#engine.db.selectFrom('health_services').selectAll().orderBy('name');
    const rows = await this.#engine.guarded(() => query.execute());
    return rows.map((row) => ({ ...row, created_at: isoTime(row.created_at) }));
  }

  async put(service: HealthService): Promise<void> {
    const row = { ...service, created_at: Date.parse(service.created_at) };
    const { name: _name, ...change } = row;
    await this.#engine.write((db) =>
      db
        .insertInto('health_services')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(change))
        .execute(),
    );
  }

  remove(name: string): Promise<boolean> {
    return this.#engine.write(async (db) => {
      const [result] = await db.deleteFrom('health_services').where('name', '=', name).execute();
      return (result?.numDeletedRows ?? 0n) > 0n;
    });
  }
}
