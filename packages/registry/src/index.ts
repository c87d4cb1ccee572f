export type { ApiKeys } from './key/api-keys.js';
export type { Agents } from './agent/agents.js';
export type { AuditTrail } from './audit/audit-trail.js';
export { createRegistry, type RegistryOptions } from './create-registry.js';
export type { EventFeed, EventListener } from './event/event-feed.js';
export type { RotateMaster } from './http/admin-context.js';
export { createAdminApp, type AdminAppOptions } from './http/app/admin-app.js';
export { type Admit } from './http/endpoint/admission.js';
export type { Operation } from './http/operation.js';
export type { AdminLimits } from './http/limits.js';
export { StoredKeyedRequests, type StoredKeyedRequestsOptions } from './keyed/stored-keyed-requests.js';
export { issuerId } from './login/issuer-id.js';
export { ServerLogins, type ServerLoginsOptions } from './login/server-logins.js';
export type { ServerCredentials } from './login/oauth-credentials.js';
export type { AskService } from './port/ask-health-service.js';
export type { Clock } from './port/clock.js';
export type { Monitor } from './port/monitor.js';
export type { Plugins } from './port/plugins.js';
export type { AgentModels, AgentQuestion, ApprovalDecision, ModelPassage } from './port/agent-models.js';
export type { BenchRuns } from './port/bench-runs.js';
export type { CheckRunListener, CheckRuns, WrittenReport } from './port/check-runs.js';
export type { DataPlane } from './port/data-plane.js';
export type { Log } from './port/log.js';
export type { ReachOptions, ServerReach, ToolCall } from './port/server-reach.js';
export type { CallOptions, Registration, SyncOptions } from './facade/call-options.js';
export type { Registry } from './facade/registry.js';
export { createEnvelopeSecretBox, type EnvelopeSecretBoxOptions } from './secret/envelope-secret-box.js';
export {
  announceMasterKey,
  establishMasterKey,
  loadOrCreateMasterKey,
  parseMasterKey,
  pendingMasterKey,
} from './secret/master-key.js';
export type { RotatingSecretBox, SecretBox } from './secret/secret-box.js';
export { type MovedRows } from './store/move-rows.js';
export { backupStore } from './store/backup-store.js';
export { moveStore } from './store/move-store.js';
export type { StorePlace } from './store/store-place.js';
export { openPostgresStore, type PostgresStoreOptions } from './store/postgres-store.js';
export type { Siblings } from './store/siblings.js';
export { openSqliteStore, type SqliteStoreOptions } from './store/sqlite-store.js';
export type { BenchRunStore, CheckRunStore, KeptBenchRun, KeptCheckRun } from './store/run-store.js';
export type { MonitorStore } from './store/monitor-store.js';
export type { Store } from './store/store.js';
export type { FleetMember, FleetStore, HeldLease, LeaseOutcome } from './store/fleet-store.js';
export type { Toolsets } from './toolset/toolsets.js';
