import {
  toPlugboardError,
  type CatalogueSnapshot,
  type ConnectConfig,
  type PageQuery,
  type PlugboardError,
  type Server,
  type ServerCreate,
  type ServerId,
  type ServerOffer,
  type ServerStatus,
  type ServerUpdate,
  type SessionList,
  type SessionOffer,
  type SyncReport,
  type Tool,
  type ToolApproval,
  type ToolDefinition,
  type ToolId,
  type ToolResult,
  type ToolUpdate,
} from '@plugboard/contract';
import { ApiKeys } from '../key/api-keys.js';
import { Agents } from '../agent/agents.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import { callTool, noteOutcome } from '../tool/call-tool.js';
import type { Catalogue, KnownServer } from '../catalogue/catalogue.js';
import type { EventFeed } from '../event/event-feed.js';
import { adoptedHolders, withOwnLogin } from '../login/own-login.js';
import type { ServerLogs } from '../log/server-logs.js';
import type { ServerLogins } from '../login/server-logins.js';
import type { HealthServices } from '../health-service/health-services.js';
import { paged } from '../store/paged.js';
import { isoTime, type Clock } from '../port/clock.js';
import type { Log } from '../port/log.js';
import type { ServerReach } from '../port/server-reach.js';
import { changeOf } from '../server/change-of.js';
import { newServer } from '../server/new-server.js';
import { requireFreeName } from '../server/name-taken.js';
import { requireReachable, serverNotFound } from '../server/reachable.js';
import type { ServerChange, Store, StoredTool, StoreTransaction } from '../store/store.js';
import { listTools } from '../sync/list-tools.js';
import { failedReport } from '../sync/report.js';
import type { SessionOffers } from '../sync/session-offers.js';
import type { Syncs } from '../sync/syncs.js';
import { changeStoredTool, toolAfter, toolNotFound } from '../tool/tool-change.js';
import { toolApproved, toolRejected } from '../quarantine/approve.js';
import { Toolsets } from '../toolset/toolsets.js';
import type { CallOptions, Registration, SyncOptions } from './call-options.js';
import { releaseServer } from '../server/release-server.js';
import { cancelled } from '../wait/cancellable.js';

export interface RegistryParts {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly syncs: Syncs;
  readonly audit: AuditTrail;
  readonly events: EventFeed;
  readonly logins: ServerLogins | undefined;
  readonly logs: ServerLogs;
  readonly services: HealthServices;
  readonly sessionOffers: SessionOffers;
  readonly reach: ServerReach;
  readonly clock: Clock;
  readonly log: Log;
  readonly stdioAllowed: boolean;
  readonly admitConfig: (config: ConnectConfig) => void;
  readonly missingVariables: (config: ConnectConfig) => readonly string[];
  readonly registerDeadlineMs: number;
  readonly listDeadlineMs: number;
  /** What must be let go of before the store is closed. */
  readonly stop: () => Promise<void>;
}

/**
 * Everything the hub knows and may do about servers and their tools. A server is named by its id or its name. Every
 * failure is a PlugboardError.
 * Reads come from memory that is checked against the store, writes are transactions.
 */
export class Registry {
  readonly toolsets: Toolsets;
  readonly agents: Agents;
  readonly keys: ApiKeys;
  /** What the deployment depends on and speaks no MCP. */
  readonly services: HealthServices;
  readonly audit: Pick<AuditTrail, 'record' | 'recordStranger' | 'recordWritten' | 'read' | 'onFlush'>;
  readonly events: Pick<EventFeed, 'emit' | 'subscribe'>;
  /** OAuth to servers; undefined where the hub was composed without it. */
  readonly logins: ServerLogins | undefined;
  /** What the programs of servers wrote, and what became of them. */
  readonly logs: Pick<ServerLogs, 'note' | 'read' | 'wait' | 'programOf'>;
  readonly #parts: RegistryParts;
  #closed: Promise<void> | undefined;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    this.toolsets = new Toolsets(parts);
    this.agents = new Agents({
      store: parts.store.agents,
      clock: parts.clock,
      snapshot: () => parts.catalogue.snapshot(),
      onChange: (id) => void parts.reach.releaseAgent?.(id),
      onDelete: async (id) => {
        await this.keys.refresh();
        await parts.logins?.forget(id);
      },
    });
    this.keys = new ApiKeys({
      store: parts.store.keys,
      clock: parts.clock,
      log: parts.log,
      requireAgent: (id) => this.agents.get(id),
      // An agent keeps its logins: it may have other keys.
      onRevoke: async ({ id, agent_id }) => (agent_id === null ? parts.logins?.forget(id) : undefined),
    });
    this.services = parts.services;
    this.audit = parts.audit;
    this.events = parts.events;
    this.logins = parts.logins;
    this.logs = parts.logs;
  }

  /** Stores the server, then syncs its tools as well as the server allows: a dead server is still registered. */
  async registerServer(input: ServerCreate, { signal, user }: CallOptions = {}): Promise<Registration> {
    if (signal?.aborted === true) throw cancelled();
    const server = newServer(this.#parts, input);
    await this.#write(async (transaction) => {
      await requireFreeName(transaction, server.server_name);
      await transaction.insertServer(server);
      for (const holder of adoptedHolders(server, user)) await transaction.adoptLogins(server, holder);
      // a crash before the first sync is healed like one during it
      await transaction.markSync(server.id, server.created_at);
    });
    const sync = await this.#firstSync(server, { signal, user });
    return { server: this.#parts.catalogue.get(server.id)?.stored.server ?? server, sync };
  }

  async listServers(page?: PageQuery): Promise<readonly Server[]> {
    await this.#parts.catalogue.refresh();
    const servers = this.#parts.catalogue.all().map(({ stored }) => stored.server);
    return paged(servers, page);
  }

  /** Rejects with SERVER_NOT_FOUND. */
  async getServer(id: string): Promise<Server> {
    return (await this.#require(id)).stored.server;
  }

  async findServerByName(name: string): Promise<Server | undefined> {
    await this.#parts.catalogue.refresh();
    return this.#parts.catalogue.named(name)?.stored.server;
  }

  /** A new config is tried behind the answer: the tools follow when the server has been asked. */
  async updateServer(given: string, update: ServerUpdate): Promise<Server> {
    const { id } = await this.getServer(given);
    const change = await this.#write(async (transaction) => {
      const stored = await transaction.server(id);
      if (stored === undefined) throw serverNotFound(id);
      const planned = changeOf(stored, update);
      if (planned === undefined) return undefined;
      if (planned.config !== undefined) this.#parts.admitConfig(planned.config);
      if (planned.name !== undefined) await requireFreeName(transaction, planned.name, stored.server.id);
      await transaction.updateServer(stored.server.id, { ...planned, updatedAt: this.#now() });
      return planned;
    });
    const { stored } = await this.#require(id);
    if (change !== undefined) await this.#follow(stored.server, change);
    return stored.server;
  }

  /** Removes the server and everything that is only about it, in one transaction. */
  async deleteServer(given: string): Promise<void> {
    const known = await this.getServer(given);
    const { id } = known;
    const revoke = await this.logins?.beforeDelete(known);
    const deleted = await this.#write(async (transaction) => {
      const stored = await transaction.server(id);
      if (stored === undefined) throw serverNotFound(id);
      await transaction.deleteServer(stored.server.id);
      return stored.server;
    });
    await this.#parts.syncs.cancel(deleted.id);
    await releaseServer(this.#parts, deleted);
    await this.#parts.logs.forget(deleted.id);
    await revoke?.();
  }

  async syncServer(id: string, options: SyncOptions = {}): Promise<SyncReport> {
    const { stored } = await this.#require(id);
    const { byHand, ...rest } = options;
    if (byHand === true) await this.#parts.reach.forgive?.(stored.server);
    return this.#parts.syncs.sync(stored.server.id, { ...rest, user: withOwnLogin(stored.server, options.user) });
  }

  /** Closes the connections to a server until it is used again. A change that it has just announced is read then. */
  async restServer(id: ServerId): Promise<void> {
    await this.#parts.reach.release(id);
    this.#parts.syncs.forgetNotice(id);
  }

  /** Stops everything that runs for the server, starts it again and reads its tools. */
  async restartServer(given: string, options: CallOptions = {}): Promise<Registration> {
    const { stored } = await this.#require(given);
    const { id, server_name } = stored.server;
    requireReachable(stored, this.#parts.stdioAllowed);
    await this.#parts.syncs.cancel(id);
    this.logs.note({ serverId: id, kind: 'restarted', text: `${server_name} is being restarted by an operator.` });
    await releaseServer(
      { ...this.#parts, reach: { release: async () => this.#parts.reach.stop?.(stored.server) } },
      stored.server,
    );
    const sync = await this.syncServer(id, { ...options, byHand: true });
    return { server: await this.getServer(id), sync };
  }

  /** Asks the server itself, now, and stores nothing. */
  async listLiveTools(id: string, options: CallOptions = {}): Promise<readonly ToolDefinition[]> {
    const { stored } = await this.#require(id);
    requireReachable(stored, this.#parts.stdioAllowed);
    return listTools(this.#parts.reach, stored.server, { ...options, deadlineMs: this.#parts.listDeadlineMs });
  }

  /** The same, with the text that the server gives to models. */
  async readOffer(id: string, options: CallOptions = {}): Promise<ServerOffer> {
    const tools = await this.listLiveTools(id, options);
    const { stored } = await this.#require(id);
    const instructions = await this.#parts.reach.instructions?.(stored.server, options);
    return { ...(instructions === undefined ? {} : { instructions }), tools: [...tools] };
  }

  /** Connects to a server that is not registered and lists its tools. */
  async tryConfig(input: ServerCreate, options: CallOptions = {}): Promise<readonly ToolDefinition[]> {
    const server = newServer(this.#parts, input);
    try {
      return await listTools(this.#parts.reach, server, { ...options, deadlineMs: this.#parts.listDeadlineMs });
    } finally {
      await releaseServer(this.#parts, server);
    }
  }

  async listTools(filter: { readonly serverId?: string } = {}, page?: PageQuery): Promise<readonly Tool[]> {
    if (filter.serverId !== undefined) return paged((await this.#require(filter.serverId)).tools, page);
    await this.#parts.catalogue.refresh();
    return paged(this.#parts.catalogue.tools(), page);
  }

  /** Rejects with TOOL_NOT_FOUND, also when the tool belongs to another server. */
  async getTool(serverId: string, toolId: string): Promise<Tool> {
    const { tools } = await this.#require(serverId);
    const tool = tools.find((candidate) => candidate.id === toolId);
    if (tool === undefined) throw toolNotFound(toolId);
    return tool;
  }

  updateTool(serverId: string, toolId: string, update: ToolUpdate): Promise<Tool> {
    return this.#changeTool(serverId, toolId, (tool) => toolAfter(tool, update, this.#now()));
  }

  /** Accepts how a tool changed, so that agents get it again. Rejects with CONFLICT when it is not the version that was seen. */
  approveTool(serverId: string, toolId: string, approval: ToolApproval = {}): Promise<Tool> {
    return this.#changeTool(serverId, toolId, (tool) => toolApproved(tool, approval, this.#now()));
  }

  /** Keeps a changed tool from agents until it changes again or is approved after all. Rejects with CONFLICT as above. */
  rejectTool(serverId: string, toolId: string, seen: ToolApproval = {}): Promise<Tool> {
    return this.#changeTool(serverId, toolId, (tool) => toolRejected(tool, seen, this.#now()));
  }

  /** Also runs tools that are not offered to agents; rejects with PERMISSION_DENIED when the server is switched off. */
  async callTool(
    serverId: string,
    toolId: ToolId,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<ToolResult> {
    const known = this.#parts.catalogue.get(serverId) ?? (await this.#require(serverId));
    return callTool(this.#parts, known, { toolId, args, options });
  }

  status(id: ServerId): ServerStatus {
    return this.#parts.catalogue.status(id);
  }

  /** Variables that the templates of the server name, and that have no value unless an agent brings them. */
  missingVariables({ config }: Server): readonly string[] {
    return this.#parts.missingVariables(config);
  }

  /** How somebody else found a server: with an answer, or with a failure. */
  noteOutcome(id: ServerId, error?: PlugboardError): void {
    noteOutcome(this.#parts, id, error);
  }

  /** What all servers offer, from memory. */
  snapshot(): CatalogueSnapshot {
    return this.#parts.catalogue.snapshot();
  }

  /** How the list of tools that a server gave to one session differs from the catalogue. */
  compareSessionList(id: ServerId, list: SessionList): Promise<SessionOffer | undefined> {
    return this.#parts.sessionOffers.compare(id, list);
  }

  /**
   * Called after every change of what servers offer or how they are reached, by this process or another. That a sync
   * found nothing new is no change. Returns the way to stop listening.
   */
  onChange(listener: (snapshot: CatalogueSnapshot) => void): () => void {
    return this.#parts.catalogue.onChange(listener);
  }

  /** Ends what is in progress and closes the store. */
  close(): Promise<void> {
    this.#closed ??= this.#stop();
    return this.#closed;
  }

  #now(): string {
    return isoTime(this.#parts.clock.now());
  }

  /** Registration succeeds whatever becomes of the first sync. */
  async #firstSync(server: Server, { signal, user }: CallOptions): Promise<SyncReport> {
    const deadlineMs = this.#parts.registerDeadlineMs;
    try {
      const report = await this.#parts.syncs.sync(server.id, { deadlineMs, signal, user: withOwnLogin(server, user) });
      this.#goOnBehind(server, report.error?.code, user);
      return report;
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      this.#goOnBehind(server, error.code, user);
      return failedReport(error, { at: this.#now(), dryRun: false });
    }
  }

  /** A registration does not wait for a slow server or for a free place to start it; the list is read later. */
  #goOnBehind(server: Server, code: string | undefined, user: CallOptions['user']): void {
    if (code === 'UPSTREAM_TIMEOUT') this.#parts.syncs.inBackground([server.id], { user: withOwnLogin(server, user) });
  }

  async #require(given: string): Promise<KnownServer> {
    const { catalogue } = this.#parts;
    await catalogue.refresh();
    const known = catalogue.get(given) ?? catalogue.named(given);
    if (known === undefined) throw serverNotFound(given);
    return known;
  }

  async #changeTool(
    serverId: string,
    toolId: string,
    change: (tool: StoredTool) => StoredTool | undefined,
  ): Promise<Tool> {
    const { id } = await this.getServer(serverId);
    await this.#write((transaction) => changeStoredTool(transaction, { serverId: id, toolId }, change));
    return this.getTool(id, toolId);
  }

  async #write<Result>(work: (transaction: StoreTransaction) => Promise<Result>): Promise<Result> {
    const result = await this.#parts.store.transaction(work);
    await this.#parts.catalogue.refresh();
    return result;
  }

  /** Closes connections that use the old config, and reads the server's lists again. */
  async #follow(server: Server, { config, enabled }: ServerChange): Promise<void> {
    if (config === undefined && enabled === undefined) return;
    await releaseServer(this.#parts, server);
    if (server.enabled) this.#parts.syncs.inBackground([server.id]);
  }

  async #stop(): Promise<void> {
    await this.#parts.stop();
    await this.#parts.syncs.close();
    await this.logins?.close();
    await this.#parts.logs.close();
    await this.#parts.audit.close();
    await this.#parts.store.close();
  }
}
