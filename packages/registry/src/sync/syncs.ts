import { LimitedQueue, SingleFlight } from '@plugboard/base';
import {
  toPlugboardError,
  type ErrorCode,
  type AgentId,
  type LoginUser,
  type PlugboardError,
  type ServerId,
  type SyncReport,
} from '@plugboard/contract';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { EventFeed } from '../event/event-feed.js';
import type { Log } from '../port/log.js';
import { cancellation, cancelled } from '../wait/cancellable.js';
import { ExaminedHere } from './examined-here.js';
import { judgeProviders, MANY_TOOLS } from './judge-providers.js';
import { syncServer, type SyncContext } from './sync-server.js';
import { SyncTrigger } from './sync-trigger.js';

export interface SyncsOptions extends SyncContext {
  readonly catalogue: Catalogue;
  readonly events: Pick<EventFeed, 'emit'>;
  readonly log: Log;
  readonly deadlineMs: number;
  readonly debounceMs: number;
  readonly maxDebounceMs: number;
}

export interface OneSyncOptions {
  readonly dryRun?: boolean | undefined;
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** With whose variables the server is asked. */
  readonly agent?: AgentId | undefined;
  /** With whose login. */
  readonly user?: LoginUser | undefined;
}

/** Defects of the hub and its store. */
const HUB_FAILURES: ReadonlySet<ErrorCode> = new Set([
  'INTERNAL',
  'STORE_UNAVAILABLE',
  'STORE_INCOMPATIBLE',
  'SECRET_UNREADABLE',
]);

const PARALLEL_BACKGROUND_SYNCS = 4;

const runKey = (id: ServerId, dryRun: boolean): string => `${id} ${dryRun ? 'dry' : 'real'}`;

const changedAnything = ({ added, updated, deleted }: SyncReport): boolean =>
  added.length + updated.length + deleted.length > 0;

/** All syncs of this process: those that callers asked for, and those that servers or a start gave cause for. */
export class Syncs {
  readonly #options: SyncsOptions;
  readonly #runs = new SingleFlight<SyncReport>({
    abandoned: 'abort',
    cancelled: () => cancelled(),
    failure: cancellation,
  });
  readonly #queue = new LimitedQueue(PARALLEL_BACKGROUND_SYNCS);
  readonly #trigger: SyncTrigger;
  readonly #running = new Map<ServerId, number>();
  /** Long lists that are stored, and of which nobody knows yet what providers say. */
  readonly #judging = new Map<ServerId, Promise<void>>();
  readonly #examined: ExaminedHere;
  #closed = false;

  constructor(options: SyncsOptions) {
    this.#options = options;
    this.#examined = new ExaminedHere((id) => options.catalogue.get(id)?.storedTools ?? []);
    this.#trigger = new SyncTrigger({
      debounceMs: options.debounceMs,
      maxDebounceMs: options.maxDebounceMs,
      settled: (id) => this.#runs.settled(runKey(id, false)),
      sync: (id) => this.#quietly(id),
    });
  }

  /** Joins the sync of this server that is in progress, or starts one. */
  async sync(id: ServerId, options: OneSyncOptions = {}): Promise<SyncReport> {
    const { dryRun = false, deadlineMs, signal, agent, user } = options;
    if (this.#closed || signal?.aborted === true) throw cancelled();
    const request = { id, dryRun, agent, user, deadlineMs: deadlineMs ?? this.#options.deadlineMs };
    // What one is shown need not be what another is.
    const behalf = [agent, user?.ownLogin ?? user?.principal].filter((name) => name !== undefined);
    const key = [runKey(id, dryRun), ...behalf].join(' ');
    return this.#runs.run(key, (inner) => this.#run({ ...request, signal: inner }), signal);
  }

  /** Is the list of this server being read? */
  isRunning(id: ServerId): boolean {
    return this.#running.has(id);
  }

  /** The server says that its tools changed. */
  notice(id: ServerId): void {
    this.#trigger.notice(id);
  }

  /** Syncs these servers when there is time; what goes wrong is logged and stored, and nobody waits. */
  inBackground(ids: readonly ServerId[], behalf: Pick<OneSyncOptions, 'agent' | 'user'> = {}): void {
    for (const id of ids) this.#quietly(id, behalf).catch(() => undefined);
  }

  /** Drops a notice that has led to no sync yet. */
  forgetNotice(id: ServerId): void {
    this.#trigger.forget(id);
  }

  /** Ends what is in progress for a server. */
  async cancel(id: ServerId): Promise<void> {
    this.#trigger.forget(id);
    await Promise.all([this.#runs.abort(runKey(id, false)), this.#runs.abort(runKey(id, true))]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#trigger.close();
    await this.#runs.abortAll();
    await Promise.allSettled(this.#judging.values());
  }

  async #run(request: Parameters<typeof syncServer>[1]): Promise<SyncReport> {
    const report = await this.#counted(request);
    if (!request.dryRun) await this.#options.catalogue.refresh();
    this.#logReport(request.id, report);
    if (!request.dryRun) this.#tell(request.id, report);
    if (!request.dryRun && report.total > MANY_TOOLS) this.#judgeLater(request.id);
    return report;
  }

  #judgeLater(id: ServerId): void {
    if (this.#judging.has(id)) return;
    const judging = this.#judge(id)
      .catch((thrown: unknown) => {
        if (!this.#closed) this.#logFailure(id, toPlugboardError(thrown));
      })
      .finally(() => this.#judging.delete(id));
    this.#judging.set(id, judging);
  }

  async #judge(id: ServerId): Promise<void> {
    const { store, catalogue } = this.#options;
    const tools = catalogue.get(id)?.storedTools ?? [];
    await judgeProviders(store, id, {
      tools,
      isOver: () => this.#closed || catalogue.get(id) === undefined,
      mustWait: () => this.isRunning(id),
    });
    if (!this.#closed) await catalogue.refresh();
  }

  async #counted(request: Parameters<typeof syncServer>[1]): Promise<SyncReport> {
    const { id } = request;
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1);
    try {
      return await syncServer({ ...this.#options, examined: this.#examined }, request);
    } finally {
      const left = (this.#running.get(id) ?? 1) - 1;
      if (left > 0) this.#running.set(id, left);
      else this.#running.delete(id);
    }
  }

  async #quietly(id: ServerId, behalf: Pick<OneSyncOptions, 'agent' | 'user'> = {}): Promise<boolean> {
    try {
      return await this.#queue.run(async () => {
        const known = this.#options.catalogue.get(id);
        if (this.#closed || known?.stored.server.enabled !== true) return false;
        return changedAnything(await this.sync(id, behalf));
      });
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      if (error.code !== 'CANCELLED' && error.code !== 'SERVER_NOT_FOUND') this.#logFailure(id, error);
      return false;
    }
  }

  #tell(id: ServerId, report: SyncReport): void {
    const server_name = this.#nameOf(id).server;
    if (server_name === undefined) return;
    this.#options.events.emit({ event: 'server_synced', at: report.at, server_id: id, server_name, report });
  }

  #logReport(id: ServerId, report: SyncReport): void {
    if (report.error !== undefined) {
      this.#logFailure(id, report.error);
      return;
    }
    const { added, updated, deleted, skipped, quarantined = [], failed, total, dry_run } = report;
    if (!changedAnything(report) && failed.length === 0) return;
    this.#options.log.info('Tools of a server were synced.', {
      ...this.#nameOf(id),
      total,
      added: added.length,
      updated: updated.length,
      deleted: deleted.length,
      skipped: skipped.length,
      quarantined: quarantined.length,
      failed: failed.length,
      dry_run,
    });
  }

  #logFailure(id: ServerId, error: Pick<PlugboardError, 'code' | 'message'>): void {
    // Whatever is wrong with a server is a warning: the hub itself is well.
    const level = HUB_FAILURES.has(error.code) ? 'error' : 'warn';
    const fields = { ...this.#nameOf(id), code: error.code, reason: error.message };
    this.#options.log[level]('The tools of a server could not be synced.', fields);
  }

  #nameOf(id: ServerId): { readonly server_id: ServerId; readonly server: string | undefined } {
    return { server_id: id, server: this.#options.catalogue.get(id)?.stored.server.server_name };
  }
}
