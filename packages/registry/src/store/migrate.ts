import { PlugboardError } from '@plugboard/contract';
import type { Transaction } from 'kysely';
import { migrations } from './migrations.js';
import type { Tables } from './tables.js';

const SCHEMA_VERSION = 'schema_version';
const OUR_TABLES = [
  'mcp_servers',
  'mcp_tools',
  'sync_marks',
  'toolsets',
  'audit_log',
  'oauth_sessions',
  'oauth_credentials',
  'oauth_clients',
  'api_keys',
  'agents',
  'health_services',
  'client_sessions',
  'client_events',
] as const;

const incompatible = (message: string, hint: string): PlugboardError =>
  new PlugboardError('STORE_INCOMPATIBLE', message, { hint });

const schemaVersion = async (db: Transaction<Tables>, present: ReadonlySet<string>): Promise<number> => {
  if (!present.has('store_meta')) {
    if (OUR_TABLES.some((name) => present.has(name))) {
      throw incompatible(
        'The database holds tables of another program.',
        'Use a separate database or file for Plugboard.',
      );
    }
    return 0;
  }
  const row = await db.selectFrom('store_meta').select('value').where('key', '=', SCHEMA_VERSION).executeTakeFirst();
  if (row === undefined) throw incompatible('The store has no schema version.', 'Restore the store from a backup.');
  return row.value;
};

/**
 * Brings the store to the version of this program, in one transaction that nobody else writes beside. A store of a newer
 * program is left untouched. `present` are the tables that the database has.
 */
export const migrate = async (transaction: Transaction<Tables>, present: ReadonlySet<string>): Promise<void> => {
  const current = await schemaVersion(transaction, present);
  if (current > migrations.length) {
    throw incompatible(
      `The store was written by a newer Plugboard (its schema is ${current}, this program knows ${migrations.length}).`,
      'Start the newer program again, or use another home or database.',
    );
  }
  if (current === migrations.length) return;
  for (const step of migrations.slice(current)) await step(transaction);
  await transaction
    .insertInto('store_meta')
    .values({ key: SCHEMA_VERSION, value: migrations.length })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: migrations.length }))
    .execute();
};
