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
import type { ApiKeys } from '../key/api-keys.js';
import { StoredApiKeys } from '../key/stored-api-keys.js';
import type { Agents } from '../agent/agents.js';
import { StoredAgents } from '../agent/stored-agents.js';
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
import type { CallOptions, Registration, Registry, SyncOptions } from './registry.js';
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
import { StoredToolsets } from '../toolset/stored-toolsets.js';
import type { Toolsets } from '../toolset/toolsets.js';
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

/** The registry over a store: reads come from memory that is checked against the store, writes are transactions. */
export class StoredRegistry implements Registry {
  readonly toolsets: Toolsets;
  readonly agents: Agents;
  readonly keys: ApiKeys;
  readonly services: HealthServices;
  readonly audit: AuditTrail;
  readonly events: EventFeed;
  readonly logins: ServerLogins | undefined;
  readonly logs: ServerLogs;
  readonly #parts: RegistryParts;
  #closed: Promise<void> | undefined;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    this.toolsets = new StoredToolsets(parts);
    this.agents = new StoredAgents({
      store: parts.store.agents,
      clock: parts.clock,
      snapshot: () => parts.catalogue.snapshot(),
      onChange: (id) => void parts.reach.releaseAgent?.(id),
      onDelete: async (id) => {
        await this.keys.refresh();
        await parts.logins?.forget(id);
      },
    });
    this.keys = new StoredApiKeys({
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

  async getServer(id: string): Promise<Server> {
    return (await this.#require(id)).stored.server;
  }

  async findServerByName(name: string): Promise<Server | undefined> {
    await this.#parts.catalogue.refresh();
    return this.#parts.catalogue.named(name)?.stored.server;
  }

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
    await this.logs.forget(deleted.id);
    await revoke?.();
  }

  async syncServer(id: string, options: SyncOptions = {}): Promise<SyncReport> {
    const { stored } = await this.#require(id);
    const { byHand, ...rest } = options;
    if (byHand === true) await this.#parts.reach.forgive?.(stored.server);
    return this.#parts.syncs.sync(stored.server.id, { ...rest, user: withOwnLogin(stored.server, options.user) });
  }

  async restServer(id: ServerId): Promise<void> {
    await this.#parts.reach.release(id);
    this.#parts.syncs.forgetNotice(id);
  }

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

  async listLiveTools(id: string, options: CallOptions = {}): Promise<readonly ToolDefinition[]> {
    const { stored } = await this.#require(id);
    requireReachable(stored, this.#parts.stdioAllowed);
    return listTools(this.#parts.reach, stored.server, { ...options, deadlineMs: this.#parts.listDeadlineMs });
  }

  async readOffer(id: string, options: CallOptions = {}): Promise<ServerOffer> {
    const tools = await this.listLiveTools(id, options);
    const { stored } = await this.#require(id);
    const instructions = await this.#parts.reach.instructions?.(stored.server, options);
    return { ...(instructions === undefined ? {} : { instructions }), tools: [...tools] };
  }

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

  async getTool(serverId: string, toolId: string): Promise<Tool> {
    const { tools } = await this.#require(serverId);
    const tool = tools.find((candidate) => candidate.id === toolId);
    if (tool === undefined) throw toolNotFound(toolId);
    return tool;
  }

  updateTool(serverId: string, toolId: string, update: ToolUpdate): Promise<Tool> {
    return this.#changeTool(serverId, toolId, (tool) => toolAfter(tool, update, this.#now()));
  }

  approveTool(serverId: string, toolId: string, approval: ToolApproval = {}): Promise<Tool> {
    return this.#changeTool(serverId, toolId, (tool) => toolApproved(tool, approval, this.#now()));
  }

  rejectTool(serverId: string, toolId: string, seen: ToolApproval = {}): Promise<Tool> {
    return this.#changeTool(serverId, toolId, (tool) => toolRejected(tool, seen, this.#now()));
  }

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

  missingVariables({ config }: Server): readonly string[] {
    return this.#parts.missingVariables(config);
  }

  noteOutcome(id: ServerId, error?: PlugboardError): void {
    noteOutcome(this.#parts, id, error);
  }

  snapshot(): CatalogueSnapshot {
    return this.#parts.catalogue.snapshot();
  }

  compareSessionList(id: ServerId, list: SessionList): Promise<SessionOffer | undefined> {
    return this.#parts.sessionOffers.compare(id, list);
  }

  onChange(listener: (snapshot: CatalogueSnapshot) => void): () => void {
    return this.#parts.catalogue.onChange(listener);
  }

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
    await this.logs.close();
    await this.#parts.audit.close();
    await this.#parts.store.close();
  }
}
