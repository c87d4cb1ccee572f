import type { MonitorSample, ServerId } from '@plugboard/contract';
import type { Selectable } from 'kysely';
import { isoTime } from '../port/clock.js';
import { chunks } from './chunks.js';
import type { MonitorStore, SampleRead } from './monitor-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';
import type { Tables } from './tables.js';
import { timeIds } from './time-id.js';

type Row = Selectable<Tables['monitor_samples']>;

const MICROSECONDS = 1_000;

const fromRow = ({ at, server_id, method, tool, code, duration_us }: Row): MonitorSample => ({
  at: isoTime(at),
  server_id: server_id as ServerId,
  method: method as MonitorSample['method'],
  tool,
  ok: code === null,
  code,
  duration_ms: duration_us / MICROSECONDS,
});

export class SqlMonitorStore implements MonitorStore {
  readonly #engine: SqlAuditEngine;
  readonly #nextId = timeIds('sample');

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  async append(samples: readonly MonitorSample[]): Promise<void> {
    if (samples.length === 0) return;
    const rows = samples.map(({ at, server_id, method, tool, ok, code, duration_ms }): Row => ({
      id: this.#nextId(Date.parse(at)),
      at: Date.parse(at),
      server_id,
      method,
      tool,
      code: ok ? null : (code ?? 'INTERNAL'),
      duration_us: Math.round(duration_ms * MICROSECONDS),
    }));
    await this.#engine.write(async (db) => {
      for (const part of chunks(rows)) await db.insertInto('monitor_samples').values(part).execute();
    });
  }

  async read({ serverId, since, limit }: SampleRead): Promise<readonly MonitorSample[]> {
    const all = this.#engine.db
      .selectFrom('monitor_samples')
      .selectAll()
      .where('at', '>=', Date.parse(since))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    const query = serverId === undefined ? all : all.where('server_id', '=', serverId);
    return (await this.#engine.guarded(() => query.execute())).map(fromRow).toReversed();
  }

  forgetBefore(at: string): Promise<number> {
    return this.#engine.write(async (db) => {
      const [result] = await db.deleteFrom('monitor_samples').where('at', '<', Date.parse(at)).execute();
      return Number(result?.numDeletedRows ?? 0n);
    });
  }
}
