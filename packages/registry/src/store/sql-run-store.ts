import type { z } from 'zod';
import type { KeptRun, RunStore } from './run-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';

const KEPT = 200;

export interface RunShapes<Run, Report> {
  readonly table: 'check_runs' | 'bench_runs';
  readonly run: z.ZodType<Run>;
  readonly report: z.ZodType<Report>;
}

/** Rows that a newer version wrote in another shape are left out. */
export class SqlRunStore<Run extends { readonly id: string }, Report> implements RunStore<Run, Report> {
  readonly #engine: SqlAuditEngine;
  readonly #shapes: RunShapes<Run, Report>;

  constructor(engine: SqlAuditEngine, shapes: RunShapes<Run, Report>) {
    this.#engine = engine;
    this.#shapes = shapes;
  }

  async put({ holder, run, report }: KeptRun<Run, Report>): Promise<void> {
    const { table } = this.#shapes;
    const row = {
      id: run.id,
      holder,
      run: JSON.stringify(run),
      report: report === undefined ? null : JSON.stringify(report),
    };
    await this.#engine.write(async (db) => {
      await db
        .insertInto(table)
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ holder, run: row.run, report: row.report }))
        .execute();
      const oldest = db.selectFrom(table).select('id').orderBy('id', 'desc').offset(KEPT).limit(1);
      await db.deleteFrom(table).where('id', '<=', oldest).execute();
    });
  }

  async get(id: string): Promise<KeptRun<Run, Report> | undefined> {
    const { db, guarded } = this.#engine;
    const query = db.selectFrom(this.#shapes.table).selectAll().where('id', '=', id);
    const row = await guarded(() => query.executeTakeFirst());
    const run = row && this.#runOf(row.run);
    return run && { holder: row.holder, run, report: this.#reportOf(row.report) };
  }

  async list({
    limit,
    after,
  }: {
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly KeptRun<Run, Report>[]> {
    const { db, guarded } = this.#engine;
    const all = db.selectFrom(this.#shapes.table).select(['holder', 'run']).orderBy('id', 'desc').limit(limit);
    const query = after === undefined ? all : all.where('id', '<', after);
    const rows = await guarded(() => query.execute());
    return rows.flatMap(({ holder, run: text }) => {
      const run = this.#runOf(text);
      return run === undefined ? [] : [{ holder, run }];
    });
  }

  async delete(id: string): Promise<void> {
    await this.#engine.write((db) => db.deleteFrom(this.#shapes.table).where('id', '=', id).execute());
  }

  #runOf(text: string): Run | undefined {
    return this.#shapes.run.safeParse(JSON.parse(text)).data;
  }

  #reportOf(text: string | null): Report | undefined {
    return text === null ? undefined : this.#shapes.report.safeParse(JSON.parse(text)).data;
  }
}
