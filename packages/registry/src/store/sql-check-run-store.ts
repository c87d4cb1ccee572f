import { type CheckReport, checkReport, type CheckRun, checkRun } from '@plugboard/contract';
import type { CheckRunStore, KeptCheckRun } from './check-run-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';

const KEPT = 200;

const runOf = (text: string): CheckRun | undefined => checkRun.safeParse(JSON.parse(text)).data;

const reportOf = (text: string | null): CheckReport | undefined =>
  text === null ? undefined : checkReport.safeParse(JSON.parse(text)).data;

export class SqlCheckRunStore implements CheckRunStore {
  readonly #engine: SqlAuditEngine;

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  async put({ holder, run, report }: KeptCheckRun): Promise<void> {
    const row = {
      id: run.id,
      holder,
      run: JSON.stringify(run),
      report: report === undefined ? null : JSON.stringify(report),
    };
    await this.#engine.write(async (db) => {
      await db
        .insertInto('check_runs')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ holder, run: row.run, report: row.report }))
        .execute();
      const oldest = db.selectFrom('check_runs').select('id').orderBy('id', 'desc').offset(KEPT).limit(1);
      await db.deleteFrom('check_runs').where('id', '<=', oldest).execute();
    });
  }

  async get(id: string): Promise<KeptCheckRun | undefined> {
    const { db, guarded } = this.#engine;
    const query = db.selectFrom('check_runs').selectAll().where('id', '=', id);
    const row = await guarded(() => query.executeTakeFirst());
    const run = row && runOf(row.run);
    return run && { holder: row.holder, run, report: reportOf(row.report) };
  }

  async list({
    limit,
    after,
  }: {
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly KeptCheckRun[]> {
    const { db, guarded } = this.#engine;
    const all = db.selectFrom('check_runs').select(['holder', 'run']).orderBy('id', 'desc').limit(limit);
    const query = after === undefined ? all : all.where('id', '<', after);
    const rows = await guarded(() => query.execute());
    return rows.flatMap(({ holder, run: text }) => {
      const run = runOf(text);
      return run === undefined ? [] : [{ holder, run }];
    });
  }

  async delete(id: string): Promise<void> {
    await this.#engine.write((db) => db.deleteFrom('check_runs').where('id', '=', id).execute());
  }
}
