import { PlugboardError } from '@plugboard/contract';
import type { Transaction } from 'kysely';
import { migrations, OLDEST_COMPATIBLE } from './migrations.js';
import type { Tables } from './tables.js';

const SCHEMA_VERSION = 'schema_version';
export const COMPATIBLE_SINCE = 'compatible_since';
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
  'hub_members',
  'leases',
  'limit_buckets',
  'limit_places',
  'check_runs',
  'bench_runs',
  'keyed_requests',
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

/** Can a program with this schema use the store of a newer one, beside it? */
const isCompatible = async (db: Transaction<Tables>): Promise<boolean> => {
  const row = await db.selectFrom('store_meta').select('value').where('key', '=', COMPATIBLE_SINCE).executeTakeFirst();
  return row !== undefined && row.value <= migrations.length;
};

/**
 * Brings the store to the version of this program, in one transaction that nobody else writes beside. A store of a newer
 * program is left untouched: it is used as it is if the newer program only added to it, and refused otherwise. `present`
 * are the tables that the database has.
 */
export const migrate = async (transaction: Transaction<Tables>, present: ReadonlySet<string>): Promise<void> => {
  const current = await schemaVersion(transaction, present);
  if (current > migrations.length) {
    if (await isCompatible(transaction)) return;
    throw incompatible(
      `The store was written by a newer Plugboard (its schema is ${current}, this program knows ${migrations.length}).`,
      'Start the newer program again, or use another home or database.',
    );
  }
  if (current === migrations.length) return;
  for (const step of migrations.slice(current)) await step(transaction);
  const numbers = { [SCHEMA_VERSION]: migrations.length, [COMPATIBLE_SINCE]: OLDEST_COMPATIBLE };
  for (const [key, value] of Object.entries(numbers)) {
    await transaction
      .insertInto('store_meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }
};
