import type { ProgramExit, ServerId, ServerLogKind } from '@plugboard/contract';
import type { Selectable } from 'kysely';
import { isoTime } from '../port/clock.js';
import { chunks } from './chunks.js';
import type { KeptLogEntry, LogRead, LogStore } from './log-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';
import { storableText } from './storable-text.js';
import type { Tables } from './tables.js';

type Row = Selectable<Tables['server_logs']>;

const toRow = ({ id, at, server_id, kind, pid, text, exit }: KeptLogEntry): Row => ({
  id,
  at: Date.parse(at),
  server_id,
  kind,
  pid,
  text: storableText(text),
  exit_report: exit === undefined ? null : JSON.stringify(exit),
});

const fromRow = ({ id, at, server_id, kind, pid, text, exit_report }: Row): KeptLogEntry => ({
  id,
  at: isoTime(at),
  server_id: server_id as ServerId,
  kind: kind as ServerLogKind,
  pid,
  text,
  ...(exit_report === null ? {} : { exit: JSON.parse(exit_report) as ProgramExit }),
});

export class SqlLogStore implements LogStore {
  readonly #engine: SqlAuditEngine;

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  async append(entries: readonly KeptLogEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#engine.write(async (db) => {
      for (const part of chunks(entries)) await db.insertInto('server_logs').values(part.map(toRow)).execute();
    });
  }

  async read(id: ServerId, { limit, after }: LogRead): Promise<readonly KeptLogEntry[]> {
    const ofServer = this.#engine.db.selectFrom('server_logs').selectAll().where('server_id', '=', id);
    if (after !== undefined) {
      const next = ofServer.where('id', '>', after).orderBy('id').limit(limit);
      return (await this.#engine.guarded(() => next.execute())).map(fromRow);
    }
    const last = ofServer.orderBy('id', 'desc').limit(limit);
    return (await this.#engine.guarded(() => last.execute())).map(fromRow).toReversed();
  }

  async lives(since: string): Promise<readonly KeptLogEntry[]> {
    const query = this.#engine.db
      .selectFrom('server_logs')
      .selectAll()
      .where('kind', 'in', ['started', 'exited'])
      .where('at', '>=', Date.parse(since))
      .orderBy('id');
    return (await this.#engine.guarded(() => query.execute())).map(fromRow);
  }

  async keepLast(id: ServerId, count: number): Promise<void> {
    await this.#engine.write(async (db) => {
      const first = await db
        .selectFrom('server_logs')
        .select('id')
        .where('server_id', '=', id)
        .orderBy('id', 'desc')
        .offset(count - 1)
        .limit(1)
        .executeTakeFirst();
      if (first === undefined) return;
      await db.deleteFrom('server_logs').where('server_id', '=', id).where('id', '<', first.id).execute();
    });
  }

  async forgetBefore(at: string): Promise<void> {
    await this.#engine.write((db) => db.deleteFrom('server_logs').where('at', '<', Date.parse(at)).execute());
  }

  async forget(id: ServerId): Promise<void> {
    await this.#engine.write((db) => db.deleteFrom('server_logs').where('server_id', '=', id).execute());
  }
}
