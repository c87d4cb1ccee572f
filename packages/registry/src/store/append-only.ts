import { PostgresAdapter, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.js';

const MESSAGE = 'audit_log is append-only';

const onSqlite = [
  `create trigger audit_log_append_only before update on audit_log
   begin select raise(abort, '${MESSAGE}'); end`,
];

const onPostgres = [
  `create or replace function plugboard_refuse_change() returns trigger language plpgsql as
   $$ begin raise exception '${MESSAGE}'; end $$`,
  `create trigger audit_log_append_only before update on audit_log
   for each row execute function plugboard_refuse_change()`,
];

/** Lets the database itself refuse to change what was written down. What is old may still be forgotten. */
export const protectAuditLog = async (db: Transaction<Tables>): Promise<void> => {
  const statements = db.getExecutor().adapter instanceof PostgresAdapter ? onPostgres : onSqlite;
  for (const statement of statements) await sql.raw(statement).execute(db);
};
