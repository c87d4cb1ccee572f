import type { Transaction } from 'kysely';
import { protectAuditLog } from './append-only.js';
import type { Tables } from './tables.js';

type Migration = (db: Transaction<Tables>) => Promise<void>;

const createServersAndTools: Migration = async (db) => {
  await db.schema
    .createTable('store_meta')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'bigint', (column) => column.notNull())
    .execute();
  await db.insertInto('store_meta').values({ key: 'catalogue_version', value: 0 }).execute();
  await db.schema
    .createTable('mcp_servers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('secrets', 'text', (column) => column.notNull())
    .addColumn('enabled', 'bigint', (column) => column.notNull())
    .addColumn('protocol', 'text')
    .addColumn('last_sync', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('config_revision', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('mcp_tools')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('server_id', 'text', (column) => column.notNull().references('mcp_servers.id'))
    .addColumn('upstream_name', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('grade', 'text', (column) => column.notNull())
    .addColumn('providers', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('switched_off', 'bigint', (column) => column.notNull())
    .addColumn('contract_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('mcp_tools_by_server', ['server_id', 'upstream_name'])
    .execute();
  await db.schema
    .createTable('sync_marks')
    .addColumn('server_id', 'text', (column) => column.primaryKey().references('mcp_servers.id'))
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .execute();
};

const createToolsets: Migration = async (db) => {
  await db.schema
    .createTable('toolsets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
};

const addQuarantine: Migration = async (db) => {
  await db.schema.alterTable('mcp_tools').addColumn('quarantine', 'text').execute();
};

const createAuditLog: Migration = async (db) => {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('duration_ms', 'bigint', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
};

const createOAuth: Migration = async (db) => {
  await db.schema
    .createTable('oauth_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('state_hash', 'text', (column) => column.notNull().unique())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('server_id', 'text')
    .addColumn('server_name', 'text', (column) => column.notNull())
    .addColumn('server_url', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('scope', 'text')
    .addColumn('send_resource', 'bigint', (column) => column.notNull())
    .addColumn('discovered', 'text', (column) => column.notNull())
    .addColumn('secrets', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('oauth_credentials')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('server_url', 'text', (column) => column.notNull())
    .addColumn('grant_type', 'text', (column) => column.notNull())
    .addColumn('send_resource', 'bigint', (column) => column.notNull())
    .addColumn('discovered', 'text', (column) => column.notNull())
    .addColumn('secrets', 'text', (column) => column.notNull())
    .addColumn('ended', 'text')
    .addColumn('scope', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('lease_holder', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('oauth_credentials_by_owner', ['owner', 'principal'])
    .execute();
  await db.schema
    .createTable('oauth_clients')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('oauth_clients_by_issuer', ['issuer', 'redirect_uri'])
    .execute();
};

const createAccess: Migration = async (db) => {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text')
    .addColumn('server_ids', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema
    .createTable('agents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('secrets', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
};

const createHealthServices: Migration = async (db) => {
  await db.schema
    .createTable('health_services')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('interval_seconds', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
};

const addAbsence: Migration = async (db) => {
  await db.schema.alterTable('mcp_tools').addColumn('absent_since', 'bigint').execute();
};

const createServerLogs: Migration = async (db) => {
  await db.schema
    .createTable('server_logs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('server_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('pid', 'bigint')
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('exit_report', 'text')
    .execute();
  await db.schema.createIndex('server_logs_by_server').on('server_logs').columns(['server_id', 'id']).execute();
};

const addNormalised: Migration = async (db) => {
  await db.schema.alterTable('mcp_tools').addColumn('normalised', 'text').execute();
};

const createClientSessions: Migration = async (db) => {
  await db.schema
    .createTable('client_sessions')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('generation', 'bigint', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('client_events')
    .addColumn('session_key', 'text', (column) => column.notNull())
    .addColumn('last_event', 'bigint', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('client_events_by_session', ['session_key', 'last_event'])
    .execute();
};

const createMonitorSamples: Migration = async (db) => {
  await db.schema
    .createTable('monitor_samples')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('server_id', 'text', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('tool', 'text')
    .addColumn('code', 'text')
    .addColumn('duration_us', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('monitor_samples_by_server').on('monitor_samples').columns(['server_id', 'at']).execute();
  await db.schema.createIndex('monitor_samples_by_time').on('monitor_samples').column('at').execute();
};

const createFleet: Migration = async (db) => {
  await db.schema
    .createTable('hub_members')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('token', 'bigint', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.alterTable('client_sessions').addColumn('holder', 'text').execute();
};

const createLimits: Migration = async (db) => {
  await db.schema
    .createTable('limit_buckets')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('level', 'bigint', (column) => column.notNull())
    .addColumn('filled_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('limit_places')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('places', 'bigint', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('limit_places_by_holder', ['subject', 'holder'])
    .execute();
};

const createRuns =
  (table: string): Migration =>
  async (db) => {
    await db.schema
      .createTable(table)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('report', 'text')
      .execute();
  };

/** Readers ask for what changed since a revision, after every change. */
const indexRevisions: Migration = async (db) => {
  await db.schema.createIndex('mcp_servers_by_revision').on('mcp_servers').column('revision').execute();
};

const createKeyedRequests: Migration = async (db) => {
  await db.schema
    .createTable('keyed_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('attempt', 'text', (column) => column.notNull())
    .addColumn('begun_at', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .execute();
  await db.schema.createIndex('keyed_requests_by_time').on('keyed_requests').column('begun_at').execute();
};

/** In order; the number of those applied is the version of the store. What was released is never changed. */
export const migrations: readonly Migration[] = [
  createServersAndTools,
  createToolsets,
  addQuarantine,
  createAuditLog,
  createOAuth,
  createAccess,
  createHealthServices,
  protectAuditLog,
  addAbsence,
  createServerLogs,
  addNormalised,
  createClientSessions,
  createMonitorSamples,
  createFleet,
  createLimits,
  createRuns('check_runs'),
  indexRevisions,
  createRuns('bench_runs'),
  createKeyedRequests,
];

/**
 * Programs with this schema or a newer one can use the store as the last migration leaves it, so that two versions run
 * together while replicas are replaced. A migration that only adds tables, indexes or nullable columns leaves it as it is; what
 * takes something away comes a version later, and raises it.
 */
export const OLDEST_COMPATIBLE = 14;
