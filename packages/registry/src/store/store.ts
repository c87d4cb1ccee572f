import type {
  AuditEntry,
  AuditQuery,
  Grade,
  KeptConfig,
  NormalisedSchema,
  PlugboardError,
  ProviderVerdicts,
  Server,
  ServerId,
  ServerProtocol,
  ServerStatus,
  SessionKeeping,
  SyncReport,
  ToolChange,
  ToolDefinition,
  ToolId,
  Toolset,
  ToolsetId,
  WrittenAuditRecord,
} from '@plugboard/contract';
import type { AgentStore } from './agent-store.js';
import type { SealStore } from './seal-store.js';
import type { BenchRunStore, CheckRunStore } from './run-store.js';
import type { FleetStore } from './fleet-store.js';
import type { KeyedRequestStore } from './keyed-request-store.js';
import type { KeyStore } from './key-store.js';
import type { OAuthStore } from './oauth-store.js';
import type { HealthServiceStore } from './health-service-store.js';
import type { LogStore } from './log-store.js';
import type { MonitorStore } from './monitor-store.js';

/** A server as it is kept, with what the hub remembers about it. */
export interface StoredServer {
  readonly server: Server;
  readonly status: ServerStatus;
  /** Grows with every change of the config: a list that was read with an older one is not stored. */
  readonly configRevision: number;
  /** Why secrets of the config cannot be opened; the config then lacks them. */
  readonly unreadable: PlugboardError | undefined;
}

/** What was accepted of a tool, and how the server's present definition differs from it. */
export interface StoredQuarantine {
  readonly since: string;
  readonly accepted: { readonly contractHash: string; readonly definition: ToolDefinition };
  readonly changes: readonly ToolChange[];
  /** When an operator rejected the definition that the tool has now. Another definition is decided about again. */
  readonly rejectedAt?: string;
}

/** A tool as it is kept. Its model-facing name, tag and metadata follow from the names of today and are not kept. */
export interface StoredTool {
  readonly id: ToolId;
  readonly serverId: ServerId;
  readonly upstreamName: string;
  /** Where the tool stood in the server's list. */
  readonly position: number;
  /** As the server sent it, unknown members included. */
  readonly definition: ToolDefinition;
  readonly grade: Grade;
  readonly providers: ProviderVerdicts | undefined;
  /** Tags that an operator gave. */
  readonly tags: readonly string[];
  /** An operator took the tool away from agents. */
  readonly switchedOff: boolean;
  readonly contractHash: string;
  /** The normalised input schema with its own grade; undefined in rows of older programs, until the next sync. */
  readonly normalised: NormalisedSchema | undefined;
  /** Set while an operator has not approved how the tool changed. */
  readonly quarantine: StoredQuarantine | undefined;
  /** Since when the server no longer lists the tool. Its row stays: rights, switches and what was accepted outlive it. */
  readonly absentSince: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What is left out stays as it is. */
export interface ServerChange {
  readonly name?: string;
  readonly config?: KeptConfig;
  readonly enabled?: boolean;
  readonly updatedAt?: string;
  readonly protocol?: ServerProtocol;
  readonly lastSync?: SyncReport;
  readonly status?: ServerStatus;
}

export interface StoredEntry {
  readonly server: StoredServer;
  /** Those that the server lists, in the order in which it sent them. */
  readonly tools: readonly StoredTool[];
}

/** The servers that a reader of changes knows. */
export type KnownIds = Pick<ReadonlyMap<ServerId, unknown>, 'has' | 'size'>;

export interface StoreChanges {
  readonly version: number;
  /** Every server there is; whichever is missing was deleted. Undefined when none that the reader knows was. */
  readonly serverIds: readonly ServerId[] | undefined;
  readonly changed: readonly StoredEntry[];
  /** Every toolset there is, by name. */
  readonly toolsets: readonly Toolset[];
}

/** Reads and writes that happen together or not at all. Nobody else writes meanwhile. */
export interface StoreTransaction {
  server(id: string): Promise<StoredServer | undefined>;
  serverIdByName(name: string): Promise<ServerId | undefined>;
  /** Rejects with CONFLICT when the name is taken. */
  insertServer(server: Server): Promise<void>;
  /** Gives the server what was logged in to under its URL before it was registered. */
  adoptLogins(server: Server, principal: string): Promise<void>;
  updateServer(id: ServerId, change: ServerChange): Promise<void>;
  /** The server and everything that is only about it. */
  deleteServer(id: ServerId): Promise<void>;
  /** Every tool that the server ever listed, absent ones too. */
  tools(serverId: ServerId): Promise<readonly StoredTool[]>;
  /** Inserts, or replaces those with the same id. */
  putTools(tools: readonly StoredTool[]): Promise<void>;
  deleteTools(serverId: ServerId, ids: readonly ToolId[]): Promise<void>;
  toolset(id: string): Promise<Toolset | undefined>;
  toolsetIdByName(name: string): Promise<ToolsetId | undefined>;
  /** Inserts, or replaces the one with the same id. Rejects with CONFLICT when the name is taken. */
  putToolset(toolset: Toolset): Promise<void>;
  deleteToolset(id: ToolsetId): Promise<void>;
  /** Remembers that a sync began, until `clearSyncMark`: a mark that is found at start tells of a crash. */
  markSync(id: ServerId, at: string): Promise<void>;
  clearSyncMark(id: ServerId): Promise<void>;
}

/** An entry as it is kept. */
export type KeptAuditEntry = WrittenAuditRecord & Pick<AuditEntry, 'id'>;

/** What was done, in order. Entries are appended, read and, when they are old, deleted. */
export interface AuditStore {
  append(entries: readonly KeptAuditEntry[]): Promise<void>;
  /** The newest first. `limit` is 100 when left out. */
  read(query?: AuditQuery): Promise<readonly AuditEntry[]>;
  /** Forgets what happened before that time; the number of entries. */
  forgetBefore(at: string): Promise<number>;
}

/** Where the registry keeps servers and tools. Failures are PlugboardErrors: CONFLICT, STORE_UNAVAILABLE, STORE_INCOMPATIBLE. */
export interface Store {
  /** The number of the last change, by whichever process. */
  version(): Promise<number>;
  /** False after a write failed (no room, read-only, I/O error), until a small trial succeeds: one in two seconds at most. */
  isWritable(): Promise<boolean>;
  /** What changed after that version; everything since 0. A reader that tells which servers it knows is not told of all. */
  changesSince(version: number, known?: KnownIds): Promise<StoreChanges>;
  interruptedSyncs(): Promise<readonly ServerId[]>;
  readonly audit: AuditStore;
  readonly oauth: OAuthStore;
  readonly keys: KeyStore;
  readonly agents: AgentStore;
  readonly seals: SealStore;
  readonly services: HealthServiceStore;
  readonly logs: LogStore;
  readonly monitor: MonitorStore;
  readonly checkRuns: CheckRunStore;
  readonly benchRuns: BenchRunStore;
  /** Sessions of clients, for the hub that continues them. */
  readonly sessions: SessionKeeping;
  /** Which processes use this store, and who may do what only one may do at a time. */
  readonly fleet: FleetStore;
  /** What came of requests with an idempotency key. */
  readonly keyedRequests: KeyedRequestStore;
  /** Has the listener look when other processes may have changed something; undefined where the store cannot tell. */
  watch(listener: () => Promise<void>): (() => Promise<void>) | undefined;
  transaction<Result>(work: (transaction: StoreTransaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
