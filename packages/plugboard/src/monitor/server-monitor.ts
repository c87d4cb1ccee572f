import { anySignal } from '@plugboard/base';
import type { Tracer } from '@opentelemetry/api';
import {
  type CatalogueEntry,
  type CatalogueSnapshot,
  type HubEvent,
  type MonitorAlert,
  type MonitoredServer,
  type MonitorHistory,
  type MonitorSample,
  type MonitorView,
  PlugboardError,
  type Server,
  type ServerId,
  toPlugboardError,
} from '@plugboard/contract';
import type { Monitor, MonitorStore } from '@plugboard/registry';
import type { LockFile } from '@plugboard/schema';
import type { Logger } from '../log/logger.js';
import type { MonitorSettings } from '../settings/monitor-settings.js';
import { readLockFile } from './contract-drift.js';
import { bucketsOf } from './history.js';
import { probe, type UseClient } from './probe.js';
import { type Expiry, ServerWatch, WINDOW_MS } from './server-watch.js';
import { Webhook } from './webhook.js';

export interface ServerMonitorOptions {
  readonly settings: MonitorSettings;
  readonly store: MonitorStore;
  readonly snapshot: () => CatalogueSnapshot;
  /** Variables without a value: such a server cannot be reached on behalf of the hub. */
  readonly missingVariables: (server: Server) => readonly string[];
  readonly use: UseClient;
  readonly expiryOf: (server: Server, signal: AbortSignal) => Promise<Expiry>;
  readonly tracer: Tracer | undefined;
  readonly emit: (event: HubEvent) => void;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Does this process probe, of those that share the store? Always when left out. */
  readonly isLeader?: (() => boolean) | undefined;
  readonly now?: (() => number) | undefined;
}

const TICK_MS = 1_000;
const MAX_AT_ONCE = 4;
const MAX_ALERTS = 50;
const MAX_SAMPLES = 200_000;
/** Certificates, tokens, the lock file and old samples are looked at this often. */
const SLOW_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Spreads the probes of many servers over the interval, the same way after each start. */
const offsetOf = (id: string, intervalMs: number): number => {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % intervalMs;
};

/** Probes the registered servers on a schedule and keeps what it finds. Nothing of it is on the path of a call. */
export class ServerMonitor implements Monitor {
  readonly #options: ServerMonitorOptions;
  readonly #now: () => number;
  readonly #watches = new Map<ServerId, ServerWatch>();
  readonly #due = new Map<ServerId, number>();
  readonly #slowDue = new Map<ServerId, number>();
  readonly #probing = new Map<ServerId, Promise<void>>();
  readonly #alerts: MonitorAlert[] = [];
  readonly #stopped = new AbortController();
  readonly #webhook: Webhook | undefined;
  #lock: LockFile | undefined;
  #housekeepingDue = 0;
  #timer: NodeJS.Timeout | undefined;
  #recalled: Promise<void> | undefined;

  constructor(options: ServerMonitorOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { webhook } = options.settings;
    this.#webhook =
      webhook === undefined
        ? undefined
        : new Webhook({
            ...webhook,
            onFailure: (reason) => options.log.warn('A monitor alert could not be sent to the webhook.', { reason }),
          });
  }

  /** Begins to probe, when that is configured. */
  start(): void {
    if (!this.#options.settings.enabled || this.#timer !== undefined || this.#stopped.signal.aborted) return;
    this.#timer = setInterval(() => void this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /** No probe begins any more. */
  stop(): void {
    clearInterval(this.#timer);
    this.#stopped.abort();
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.allSettled([...this.#probing.values(), this.#recalled, this.#webhook?.close()]);
  }

  async view(): Promise<MonitorView> {
    await this.#recall();
    return this.known();
  }

  /** What is in memory. */
  known(): MonitorView {
    const { settings } = this.#options;
    return {
      enabled: settings.enabled,
      interval_seconds: settings.intervalMs / 1_000,
      window_seconds: WINDOW_MS / 1_000,
      objective: settings.objective,
      servers: this.#entries().map(({ server }) => this.#watchOf(server).view(server)),
      alerts: this.#alerts.toReversed(),
    };
  }

  async history(
    named: string,
    { hours, bucketMinutes }: { readonly hours: number; readonly bucketMinutes: number },
  ): Promise<MonitorHistory> {
    const { server } = this.#find(named);
    const since = new Date(this.#now() - hours * 3_600_000).toISOString();
    const samples = await this.#options.store.read({ serverId: server.id, since, limit: MAX_SAMPLES });
    return {
      server_id: server.id,
      buckets: [...bucketsOf(samples, bucketMinutes)],
      truncated: samples.length === MAX_SAMPLES,
    };
  }

  async probe(named: string, signal: AbortSignal): Promise<MonitoredServer> {
    const entry = this.#find(named);
    await this.#recall();
    await this.#housekeep(this.#now());
    this.#lock = await this.#readLock();
    const watch = this.#watchOf(entry.server);
    await (this.#probing.get(entry.server.id) ?? this.#probe(entry, signal));
    return watch.view(entry.server);
  }

  /** Probes what is due. Public for tests, which move the clock. */
  async tick(): Promise<void> {
    if (this.#options.isLeader?.() === false) {
      this.#forgetAll();
      return;
    }
    await this.#recall();
    const now = this.#now();
    await this.#housekeep(now);
    const entries = this.#entries();
    this.#forgetMissing(new Set(entries.map(({ server }) => server.id)));
    const probes = entries
      .filter(({ server }) => this.#isDue(server, now))
      .slice(0, Math.max(0, MAX_AT_ONCE - this.#probing.size))
      .map((entry) => this.#probe(entry, this.#stopped.signal));
    await Promise.all(probes);
  }

  async #tick(): Promise<void> {
    try {
      await this.tick();
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      this.#options.log.warn('Servers could not be probed.', { reason: toPlugboardError(error).message });
    }
  }

  #entries(): readonly CatalogueEntry[] {
    return this.#options.snapshot().entries;
  }

  #find(named: string): CatalogueEntry {
    const found = this.#entries().find(({ server }) => server.id === named || server.server_name === named);
    if (found !== undefined) return found;
    throw new PlugboardError('SERVER_NOT_FOUND', `There is no server called "${named.slice(0, 128)}".`, {
      hint: { api: 'GET /v1/mcp-servers lists the servers.', cli: '`plugboard list` shows the servers.' },
    });
  }

  #watchOf(server: Server): ServerWatch {
    const known = this.#watches.get(server.id);
    if (known !== undefined) {
      known.pause(this.#whyNot(server));
      return known;
    }
    const watch = new ServerWatch({
      settings: this.#options.settings,
      now: this.#now,
      alert: (kind, message) =>
        this.#raise({
          at: new Date(this.#now()).toISOString(),
          kind,
          server_id: server.id,
          server_name: server.server_name,
          message,
        }),
    });
    watch.pause(this.#whyNot(server));
    this.#watches.set(server.id, watch);
    return watch;
  }

  #whyNot(server: Server): string | undefined {
    const { settings, missingVariables } = this.#options;
    if (!server.enabled) return 'The server is disabled.';
    if (settings.servers !== undefined && !settings.servers.includes(server.server_name)) {
      return 'The configuration does not name it under monitor.servers.';
    }
    const missing = missingVariables(server);
    return missing.length === 0 ? undefined : `The variables ${missing.join(', ')} have a value for agents only.`;
  }

  #isDue(server: Server, now: number): boolean {
    if (this.#probing.has(server.id) || this.#whyNot(server) !== undefined) return false;
    const { intervalMs } = this.#options.settings;
    const due = this.#due.get(server.id);
    // The first probe comes within the first tenth of an interval, the next ones at a time of the server's own.
    if (due === undefined) this.#due.set(server.id, now + offsetOf(server.id, intervalMs) / 10);
    return due !== undefined && now >= due;
  }

  #probe(entry: CatalogueEntry, caller: AbortSignal): Promise<void> {
    const { id } = entry.server;
    const done = this.#probeNow(entry, caller).finally(() => this.#probing.delete(id));
    this.#probing.set(id, done);
    return done;
  }

  async #probeNow(entry: CatalogueEntry, caller: AbortSignal): Promise<void> {
    const { server } = entry;
    const { settings, use, store, tracer } = this.#options;
    const watch = this.#watchOf(server);
    this.#due.set(server.id, this.#now() + settings.intervalMs);
    const span = tracer?.startSpan('plugboard.probe', { attributes: { 'plugboard.server': server.server_name } });
    const signal = anySignal(caller, this.#stopped.signal, AbortSignal.timeout(settings.timeoutMs));
    try {
      const result = await probe(server, use, {
        signal,
        canaryAmong: (tools) => watch.canaryAmong(server, tools),
      });
      // What was cut off by a stop or by the caller says nothing about the server.
      if (this.#stopped.signal.aborted || caller.aborted) return;
      watch.probed(result);
      for (const { method, tool, ok, code, duration_ms } of result.samples) {
        span?.addEvent(method, {
          'plugboard.outcome': code ?? 'ok',
          'plugboard.duration_ms': duration_ms,
          ...(tool === null ? {} : { 'gen_ai.tool.name': tool }),
        });
        if (!ok) span?.setStatus({ code: 2, message: code ?? '' });
      }
      if (result.tools !== undefined) watch.compare({ ...result, tools: result.tools }, entry, this.#lock);
      await store.append(result.samples);
      await this.#lookAtExpiry(server, watch);
    } finally {
      span?.end();
    }
  }

  /** Once an hour: a connection for a certificate is not worth more. */
  async #lookAtExpiry(server: Server, watch: ServerWatch): Promise<void> {
    const now = this.#now();
    if (now < (this.#slowDue.get(server.id) ?? 0)) return;
    this.#slowDue.set(server.id, now + SLOW_MS);
    const signal = anySignal(this.#stopped.signal, AbortSignal.timeout(this.#options.settings.timeoutMs));
    const expiry = await this.#options.expiryOf(server, signal).catch(() => undefined);
    if (expiry !== undefined) watch.expires(expiry);
  }

  /** Once an hour. */
  async #housekeep(now: number): Promise<void> {
    if (now < this.#housekeepingDue) return;
    this.#housekeepingDue = now + SLOW_MS;
    const { settings, store } = this.#options;
    this.#lock = await this.#readLock();
    await store.forgetBefore(new Date(now - settings.keepDays * DAY_MS).toISOString());
  }

  #readLock(): Promise<LockFile | undefined> {
    const { settings, log } = this.#options;
    return readLockFile(settings.lockFile, (reason) =>
      log.warn('The lock file of the monitor cannot be read.', { reason }),
    );
  }

  /** What an earlier process measured within the window; once. */
  #recall(): Promise<void> {
    this.#recalled ??= (async () => {
      const since = new Date(this.#now() - WINDOW_MS).toISOString();
      const samples = await this.#options.store.read({ since, limit: MAX_SAMPLES });
      const byServer = new Map<ServerId, MonitorSample[]>();
      for (const sample of samples) {
        const own = byServer.get(sample.server_id);
        if (own === undefined) byServer.set(sample.server_id, [sample]);
        else own.push(sample);
      }
      for (const { server } of this.#entries()) this.#watchOf(server).recall(byServer.get(server.id) ?? []);
    })().catch((error: unknown) => {
      // The next one who asks tries again.
      this.#recalled = undefined;
      throw error;
    });
    return this.#recalled;
  }

  #forgetMissing(known: ReadonlySet<ServerId>): void {
    for (const id of this.#watches.keys()) {
      if (known.has(id)) continue;
      for (const map of [this.#watches, this.#due, this.#slowDue]) map.delete(id);
    }
  }

  /** Another process probes now: what this one knows grows old, so it reads the store when it is asked. */
  #forgetAll(): void {
    this.#recalled = undefined;
    this.#forgetMissing(new Set());
  }

  #raise(alert: MonitorAlert): void {
    this.#alerts.push(alert);
    if (this.#alerts.length > MAX_ALERTS) this.#alerts.shift();
    const { kind, server_name, message } = alert;
    const { log, emit } = this.#options;
    if (kind === 'up') log.info('A monitored server is up again.', { server: server_name });
    else log.warn('The monitor raised an alert.', { server: server_name, kind, reason: message });
    emit({ event: 'monitor_alert', ...alert });
    this.#webhook?.send(alert);
  }
}
