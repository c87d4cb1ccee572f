import type {
  AgentId,
  CatalogueSnapshot,
  CompareSessionList,
  LoginUser,
  PageQuery,
  PlugboardError,
  Server,
  ServerCreate,
  ServerId,
  ServerOffer,
  ServerStatus,
  ServerUpdate,
  SyncReport,
  Tool,
  ToolApproval,
  ToolDefinition,
  ToolId,
  ToolResult,
  ToolUpdate,
} from '@plugboard/contract';
import type { ApiKeys } from '../key/api-keys.js';
import type { Agents } from '../agent/agents.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { EventFeed } from '../event/event-feed.js';
import type { ServerLogs } from '../log/server-logs.js';
import type { ServerLogins } from '../login/server-logins.js';
import type { HealthServices } from '../health-service/health-services.js';
import type { Toolsets } from '../toolset/toolsets.js';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The agent on whose behalf: its variables come first. */
  readonly agent?: AgentId | undefined;
  /** Whose login to the server is used; the hub's, or the agent's, when left out. */
  readonly user?: LoginUser | undefined;
}

export interface SyncOptions extends CallOptions {
  /** Report what would change, and change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Somebody asks by hand: earlier failures of the server are no reason to leave it alone. */
  readonly byHand?: boolean | undefined;
}

export interface Registration {
  readonly server: Server;
  readonly sync: SyncReport;
}

/**
 * Everything the hub knows and may do about servers and their tools. A server is named by its id or its name. Every
 * failure is a PlugboardError.
 */
export interface Registry {
  readonly toolsets: Toolsets;
  readonly agents: Agents;
  readonly keys: ApiKeys;
  /** What the deployment depends on and speaks no MCP. */
  readonly services: HealthServices;
  readonly audit: Pick<AuditTrail, 'record' | 'recordStranger' | 'recordWritten' | 'read' | 'onFlush'>;
  readonly events: Pick<EventFeed, 'emit' | 'subscribe'>;
  /** OAuth to servers; undefined where the hub was composed without it. */
  readonly logins: ServerLogins | undefined;
  /** Stores the server, then syncs its tools as well as the server allows: a dead server is still registered. */
  registerServer(input: ServerCreate, options?: CallOptions): Promise<Registration>;
  listServers(page?: PageQuery): Promise<readonly Server[]>;
  /** Rejects with SERVER_NOT_FOUND. */
  getServer(id: string): Promise<Server>;
  findServerByName(name: string): Promise<Server | undefined>;
  /** A new config is tried behind the answer: the tools follow when the server has been asked. */
  updateServer(id: string, update: ServerUpdate): Promise<Server>;
  /** Removes the server and everything that is only about it, in one transaction. */
  deleteServer(id: string): Promise<void>;
  syncServer(id: string, options?: SyncOptions): Promise<SyncReport>;
  /** Stops everything that runs for the server, starts it again and reads its tools. */
  restartServer(id: string, options?: CallOptions): Promise<Registration>;
  /** Closes the connections to a server until it is used again. A change that it has just announced is read then. */
  restServer(id: ServerId): Promise<void>;
  /** What the programs of servers wrote, and what became of them. */
  readonly logs: Pick<ServerLogs, 'note' | 'read' | 'wait' | 'programOf'>;
  /** Asks the server itself, now, and stores nothing. */
  listLiveTools(id: string, options?: CallOptions): Promise<readonly ToolDefinition[]>;
  /** The same, with the text that the server gives to models. */
  readOffer(id: string, options?: CallOptions): Promise<ServerOffer>;
  /** Connects to a server that is not registered and lists its tools. */
  tryConfig(input: ServerCreate, options?: CallOptions): Promise<readonly ToolDefinition[]>;
  listTools(filter?: { readonly serverId?: string }, page?: PageQuery): Promise<readonly Tool[]>;
  /** Rejects with TOOL_NOT_FOUND, also when the tool belongs to another server. */
  getTool(serverId: string, toolId: string): Promise<Tool>;
  updateTool(serverId: string, toolId: string, update: ToolUpdate): Promise<Tool>;
  /** Accepts how a tool changed, so that agents get it again. Rejects with CONFLICT when it is not the version that was seen. */
  approveTool(serverId: string, toolId: string, approval?: ToolApproval): Promise<Tool>;
  /** Keeps a changed tool from agents until it changes again or is approved after all. Rejects with CONFLICT as above. */
  rejectTool(serverId: string, toolId: string, seen?: ToolApproval): Promise<Tool>;
  /** Also runs tools that are not offered to agents; rejects with PERMISSION_DENIED when the server is switched off. */
  callTool(
    serverId: string,
    toolId: ToolId,
    args: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<ToolResult>;
  status(id: ServerId): ServerStatus;
  /** Variables that the templates of the server name, and that have no value unless an agent brings them. */
  missingVariables(server: Server): readonly string[];
  /** How somebody else found a server: with an answer, or with a failure. */
  noteOutcome(id: ServerId, error?: PlugboardError): void;
  /** What all servers offer, from memory. */
  snapshot(): CatalogueSnapshot;
  /**
   * Called after every change of what servers offer or how they are reached, by this process or another. That a sync
   * found nothing new is no change. Returns the way to stop listening.
   */
  onChange(listener: (snapshot: CatalogueSnapshot) => void): () => void;
  /** How the list of tools that a server gave to one session differs from the catalogue. */
  readonly compareSessionList: CompareSessionList;
  /** Ends what is in progress and closes the store. */
  close(): Promise<void>;
}
