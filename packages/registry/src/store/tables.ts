/** The portable subset of SQL that both engines share: text, bigint, JSON as text, times in epoch milliseconds. */
export interface Tables {
  readonly store_meta: MetaTable;
  readonly mcp_servers: ServersTable;
  readonly mcp_tools: ToolsTable;
  readonly sync_marks: SyncMarksTable;
  readonly toolsets: ToolsetsTable;
  readonly audit_log: AuditTable;
  readonly api_keys: ApiKeysTable;
  readonly agents: AgentsTable;
  readonly oauth_sessions: OAuthSessionsTable;
  readonly oauth_credentials: OAuthCredentialsTable;
  readonly oauth_clients: OAuthClientsTable;
  readonly health_services: HealthServicesTable;
  readonly server_logs: ServerLogsTable;
  readonly client_sessions: ClientSessionsTable;
  readonly client_events: ClientEventsTable;
  readonly monitor_samples: MonitorSamplesTable;
  readonly hub_members: HubMembersTable;
  readonly leases: LeasesTable;
  readonly check_runs: RunsTable;
  readonly bench_runs: RunsTable;
  readonly limit_buckets: LimitBucketsTable;
  readonly limit_places: LimitPlacesTable;
  readonly keyed_requests: KeyedRequestsTable;
}

interface MetaTable {
  readonly key: string;
  readonly value: number;
}

interface ServersTable {
  readonly id: string;
  readonly name: string;
  readonly config: string;
  /** JSON: path in the config → sealed text. */
  readonly secrets: string;
  readonly enabled: number;
  readonly protocol: string | null;
  readonly last_sync: string | null;
  readonly status: string;
  readonly config_revision: number;
  /** The version of the store in which the server or its tools last changed. */
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
}

interface ToolsTable {
  readonly id: string;
  readonly server_id: string;
  readonly upstream_name: string;
  readonly position: number;
  readonly definition: string;
  readonly grade: string;
  readonly providers: string | null;
  readonly tags: string;
  readonly switched_off: number;
  readonly contract_hash: string;
  /** JSON: the normalised input schema and its grade. */
  readonly normalised: string | null;
  /** JSON: what was accepted and what changed since; null when the tool is as it was accepted. */
  readonly quarantine: string | null;
  /** Since when the server no longer lists the tool; null while it does. */
  readonly absent_since: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

interface SyncMarksTable {
  readonly server_id: string;
  readonly started_at: number;
}

interface ToolsetsTable {
  readonly id: string;
  readonly name: string;
  /** JSON: everything but id, name and times. */
  readonly settings: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Rows are added and, when they are old, removed; none is ever changed. */
interface AuditTable {
  /** Grows with time, so that its order is the order of the entries. */
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly outcome: string;
  readonly duration_ms: number;
  readonly details: string;
}

/** Logins to servers, from their URL to their end. */
interface OAuthSessionsTable {
  readonly id: string;
  readonly state_hash: string;
  /** The id of a server, or `url <its URL>`. */
  readonly owner: string;
  readonly principal: string;
  readonly server_id: string | null;
  readonly server_name: string;
  readonly server_url: string;
  readonly status: string;
  readonly redirect_uri: string;
  readonly scope: string | null;
  readonly send_resource: number;
  /** JSON: the authorization server's metadata and the resource. */
  readonly discovered: string;
  /** Sealed JSON: state, code verifier, URL, client. */
  readonly secrets: string;
  readonly error: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

interface OAuthCredentialsTable {
  readonly owner: string;
  readonly principal: string;
  readonly server_url: string;
  readonly grant_type: string;
  readonly send_resource: number;
  readonly discovered: string;
  /** Sealed JSON: client and tokens. */
  readonly secrets: string;
  readonly ended: string | null;
  readonly scope: string | null;
  readonly version: number;
  /** Who may renew the tokens, and until when. */
  readonly lease_holder: string | null;
  readonly lease_until: number;
  readonly updated_at: number;
}

/** Who we are at an authorization server that registered us, for one place to come back to. */
interface OAuthClientsTable {
  readonly issuer: string;
  readonly redirect_uri: string;
  /** Sealed JSON. */
  readonly client: string;
}

interface ApiKeysTable {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  readonly prefix: string;
  readonly role: string;
  readonly agent_id: string | null;
  /** JSON, or null for all servers. */
  readonly server_ids: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

interface AgentsTable {
  readonly id: string;
  readonly name: string;
  /** JSON: everything but id, name, variables and times. */
  readonly settings: string;
  /** JSON: name of a variable → sealed value. */
  readonly secrets: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Rows are added and, when they are old or too many, removed. */
interface ServerLogsTable {
  /** Grows with time. */
  readonly id: string;
  readonly at: number;
  readonly server_id: string;
  readonly kind: string;
  readonly pid: number | null;
  readonly text: string;
  /** JSON: how the program ended. */
  readonly exit_report: string | null;
}

interface HealthServicesTable {
  readonly name: string;
  readonly url: string;
  readonly interval_seconds: number;
  readonly created_at: number;
}

/** Sessions of clients. What is sealed can be opened only with the id of its session, which is not here. */
interface ClientSessionsTable {
  readonly key: string;
  readonly generation: number;
  readonly sealed: string;
  readonly used_at: number;
  /** The member of the fleet that continued it last; null while that is the one that opened it. */
  readonly holder: string | null;
}

interface ClientEventsTable {
  readonly session_key: string;
  readonly last_event: number;
  readonly sealed: string;
}

/** Steps of probes; rows are added and, when they are old, removed. */
interface MonitorSamplesTable {
  readonly id: string;
  readonly at: number;
  readonly server_id: string;
  readonly method: string;
  readonly tool: string | null;
  /** The error code; null when the step succeeded. */
  readonly code: string | null;
  readonly duration_us: number;
}

/** The processes that use this store now. */
interface HubMembersTable {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  /** By the clock of the store. */
  readonly seen_at: number;
}

/** Who may do what only one process may do at a time. Rows stay, so that tokens only grow. */
interface LeasesTable {
  readonly name: string;
  readonly holder: string;
  readonly token: number;
  /** By the clock of the store. */
  readonly until: number;
}

/** Tokens of a limit that are left for all processes; a bucket without a row is full. */
interface LimitBucketsTable {
  readonly subject: string;
  /** In thousandths; negative when processes took more than there was. */
  readonly level: number;
  /** By the clock of the store. */
  readonly filled_at: number;
}

/** How many calls a process may run at a time. */
interface LimitPlacesTable {
  readonly subject: string;
  readonly holder: string;
  readonly places: number;
  /** By the clock of the store. */
  readonly until: number;
}

interface RunsTable {
  readonly id: string;
  readonly holder: string;
  /** JSON */
  readonly run: string;
  /** JSON, once it has ended. */
  readonly report: string | null;
}

/** Requests with an idempotency key. Rows are removed when they are old. */
interface KeyedRequestsTable {
  /** SHA-256 of the caller and its key, in hexadecimal. */
  readonly id: string;
  /** SHA-256 of what was asked for, in hexadecimal. */
  readonly content: string;
  /** The process that carries it out, or did. */
  readonly holder: string;
  readonly attempt: string;
  /** By the clock of the store. */
  readonly begun_at: number;
  /** Sealed JSON, once it is known what came of it. */
  readonly outcome: string | null;
}
