import type { Server, ServerId, ToolId, Toolset, ToolsetId } from '@plugboard/contract';
import type { Transaction } from 'kysely';
import type { SecretBox } from '../secret/secret-box.js';
import { chunks } from './chunks.js';
import { fromServerRow, toServerColumns, toServerRow } from './server-row.js';
import { adoptLogins, deleteLoginsOf, orphanOwner } from './login-ownership.js';
import type { ServerChange, StoredServer, StoredTool, StoreTransaction } from './store.js';
import type { Tables } from './tables.js';
import { fromToolRow, toToolRow } from './tool-row.js';
import { fromToolsetRow, toToolsetRow } from './toolset-row.js';

const replacedColumns = [
  'upstream_name',
  'position',
  'definition',
  'grade',
  'providers',
  'tags',
  'switched_off',
  'contract_hash',
  'normalised',
  'quarantine',
  'absent_since',
  'updated_at',
] as const satisfies readonly (keyof Tables['mcp_tools'])[];

export class SqlTransaction implements StoreTransaction {
  readonly #db: Transaction<Tables>;
  readonly #box: SecretBox;
  readonly #touched = new Set<ServerId>();
  /** Something changed that no server's revision tells of. */
  #otherChange = false;

  constructor(db: Transaction<Tables>, box: SecretBox) {
    this.#db = db;
    this.#box = box;
  }

  async server(id: string): Promise<StoredServer | undefined> {
    const row = await this.#db.selectFrom('mcp_servers').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : fromServerRow(row, this.#box);
  }

  async serverIdByName(name: string): Promise<ServerId | undefined> {
    const row = await this.#db.selectFrom('mcp_servers').select('id').where('name', '=', name).executeTakeFirst();
    return row?.id as ServerId | undefined;
  }

  async insertServer(server: Server): Promise<void> {
    await this.#db.insertInto('mcp_servers').values(toServerRow(server, this.#box)).execute();
    this.#touched.add(server.id);
  }

  async adoptLogins(server: Server, principal: string): Promise<void> {
    const owner = orphanOwner(server.config);
    if (owner !== undefined) await adoptLogins({ db: this.#db, box: this.#box }, { owner, principal }, server);
  }

  async updateServer(id: ServerId, change: ServerChange): Promise<void> {
    await this.#db
      .updateTable('mcp_servers')
      .set((column) => ({
        ...toServerColumns(id, change, this.#box),
        config_revision: column('config_revision', '+', change.config === undefined ? 0 : 1),
      }))
      .where('id', '=', id)
      .execute();
    this.#touched.add(id);
  }

  async deleteServer(id: ServerId): Promise<void> {
    await deleteLoginsOf(this.#db, id, (await this.server(id))?.server.config);
    await this.#db.deleteFrom('sync_marks').where('server_id', '=', id).execute();
    await this.#db.deleteFrom('server_logs').where('server_id', '=', id).execute();
    await this.#db.deleteFrom('monitor_samples').where('server_id', '=', id).execute();
    await this.#db.deleteFrom('mcp_tools').where('server_id', '=', id).execute();
    await this.#db.deleteFrom('mcp_servers').where('id', '=', id).execute();
    this.#touched.delete(id);
    this.#otherChange = true;
  }

  async tools(serverId: ServerId): Promise<readonly StoredTool[]> {
    const query = this.#db.selectFrom('mcp_tools').selectAll().where('server_id', '=', serverId);
    return (await query.orderBy('position').orderBy('id').execute()).map(fromToolRow);
  }

  async putTools(tools: readonly StoredTool[]): Promise<void> {
    for (const part of chunks(tools)) {
      await this.#db
        .insertInto('mcp_tools')
        .values(part.map(toToolRow))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((column) =>
              Object.fromEntries(replacedColumns.map((name) => [name, column.ref(`excluded.${name}`)])),
            ),
        )
        .execute();
    }
    for (const tool of tools) this.#touched.add(tool.serverId);
  }

  async deleteTools(serverId: ServerId, ids: readonly ToolId[]): Promise<void> {
    for (const part of chunks(ids)) {
      await this.#db.deleteFrom('mcp_tools').where('server_id', '=', serverId).where('id', 'in', part).execute();
    }
    if (ids.length > 0) this.#touched.add(serverId);
  }

  async toolset(id: string): Promise<Toolset | undefined> {
    const row = await this.#db.selectFrom('toolsets').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : fromToolsetRow(row);
  }

  async toolsetIdByName(name: string): Promise<ToolsetId | undefined> {
    const row = await this.#db.selectFrom('toolsets').select('id').where('name', '=', name).executeTakeFirst();
    return row?.id as ToolsetId | undefined;
  }

  async putToolset(toolset: Toolset): Promise<void> {
    const row = toToolsetRow(toolset);
    await this.#db
      .insertInto('toolsets')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ name: row.name, settings: row.settings, updated_at: row.updated_at }),
      )
      .execute();
    this.#otherChange = true;
  }

  async deleteToolset(id: ToolsetId): Promise<void> {
    await this.#db.deleteFrom('toolsets').where('id', '=', id).execute();
    this.#otherChange = true;
  }

  async markSync(id: ServerId, at: string): Promise<void> {
    const started_at = Date.parse(at);
    await this.#db
      .insertInto('sync_marks')
      .values({ server_id: id, started_at })
      .onConflict((conflict) => conflict.column('server_id').doUpdateSet({ started_at }))
      .execute();
  }

  async clearSyncMark(id: ServerId): Promise<void> {
    await this.#db.deleteFrom('sync_marks').where('server_id', '=', id).execute();
  }

  /** Gives the changes of this transaction their version; false when there are none. Marks are not changes. */
  async stamp(): Promise<boolean> {
    if (this.#touched.size === 0 && !this.#otherChange) return false;
    const { value } = await this.#db
      .updateTable('store_meta')
      .set((column) => ({ value: column('value', '+', 1) }))
      .where('key', '=', 'catalogue_version')
      .returning('value')
      .executeTakeFirstOrThrow();
    for (const part of chunks([...this.#touched])) {
      await this.#db.updateTable('mcp_servers').set({ revision: value }).where('id', 'in', part).execute();
    }
    return true;
  }
}
