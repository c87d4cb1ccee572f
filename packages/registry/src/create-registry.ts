import type { ConnectConfig, QuarantineRule, ServerId } from '@plugboard/contract';
import { AuditTrail } from './audit/audit-trail.js';
import { Catalogue } from './catalogue/catalogue.js';
import { watchStore } from './catalogue/watch-store.js';
import { EventFeed } from './event/event-feed.js';
import { eventsBetween } from './event/events-between.js';
import { loginAttachment } from './login/login-attachment.js';
import type { ServerLogins } from './login/server-logins.js';
import { ServerLogs } from './log/server-logs.js';
import { isoTime, type Clock } from './port/clock.js';
import type { Log } from './port/log.js';
import type { ServerReach } from './port/server-reach.js';
import { Registry } from './facade/registry.js';
import type { AskService } from './port/ask-health-service.js';
import { HealthServices } from './health-service/health-services.js';
import type { Store } from './store/store.js';
import { Revalidation } from './sync/revalidation.js';
import { SessionOffers } from './sync/session-offers.js';
import { Syncs } from './sync/syncs.js';

export interface RegistryOptions {
  /** The registry takes it over: closing the registry closes the store. */
  readonly store: Store;
  readonly reach: ServerReach;
  readonly clock: Clock;
  readonly log: Log;
  /** Asks a health-only service how it is; none is ever asked when left out. */
  readonly askService?: AskService | undefined;
  /** OAuth to servers. */
  readonly logins?: ServerLogins | undefined;
  /** May the hub start processes? Default: yes. */
  readonly stdioAllowed?: boolean | undefined;
  /** Throws when a config may not be stored: its address or program is not allowed. */
  readonly admitConfig?: ((config: ConnectConfig) => void) | undefined;
  /** Variables that a config names and that have no value, agents aside. Default: none is missing. */
  readonly missingVariables?: ((config: ConnectConfig) => readonly string[]) | undefined;
  /** Which servers are synced behind a start: those that a crash interrupted (default), all, or none. */
  readonly syncOnStart?: 'interrupted' | 'all' | 'none' | undefined;
  /** How long a registration waits for the first list of tools. */
  readonly registerDeadlineMs?: number | undefined;
  /** How long any other list of tools may take. */
  readonly syncDeadlineMs?: number | undefined;
  /** How long notices of changed tools are gathered. */
  readonly debounceMs?: number | undefined;
  /** Which changes of a tool keep it from agents until an operator approves. Default: both kinds. */
  readonly quarantineRule?: QuarantineRule | undefined;
  /** How long the audit trail is kept; 0 keeps it indefinitely. Default: 30 days. */
  readonly auditKeepDays?: number | undefined;
  /** How many entries of the log of each server are kept, and for how many days. Default: 1000 and 7. */
  readonly serverLogLines?: number | undefined;
  readonly serverLogDays?: number | undefined;
  /** After how long a list of tools is read again; 0, or left out, for never. */
  readonly revalidateMs?: number | undefined;
  /** Does this process do what one of several must do? Default: yes. */
  readonly isLeader?: (() => boolean) | undefined;
  /** How often the store is asked for changes by other processes; 0 for never. */
  readonly pollMs?: number | undefined;
}

/** The servers whose tools are to be looked at again behind this start. */
const toSyncAtStart = async ({ store, syncOnStart }: RegistryOptions, catalogue: Catalogue): Promise<ServerId[]> => {
  const servers = catalogue.all().map(({ stored }) => stored.server);
  switch (syncOnStart) {
    case 'none':
      return [];
    case 'all':
      return servers.map((server) => server.id);
    case 'interrupted':
    case undefined: {
      const neverSynced = servers.filter((server) => server.last_sync === null).map((server) => server.id);
      return [...new Set([...(await store.interruptedSyncs()), ...neverSynced])];
    }
    default:
      return syncOnStart satisfies never;
  }
};

/** Tells the feed what changes in the catalogue. */
const tellChanges = (catalogue: Catalogue, events: EventFeed, clock: Clock): (() => void) => {
  let before = catalogue.snapshot();
  const stopChanges = catalogue.onChange((after) => {
    const happened = eventsBetween(before, after, isoTime(clock.now()));
    before = after;
    for (const event of happened) events.emit(event);
  });
  const stopStatus = catalogue.onStatus(({ id, server_name }, status) =>
    events.emit({ event: 'server_status', at: isoTime(clock.now()), server_id: id, server_name, status }),
  );
  return () => {
    stopChanges();
    stopStatus();
  };
};

/** Opens the registry on a store. Reads what is stored and waits for no server. */
export const createRegistry = async (options: RegistryOptions): Promise<Registry> => {
  const { store, reach, clock, log } = options;
  const stdioAllowed = options.stdioAllowed ?? true;
  const syncDeadlineMs = options.syncDeadlineMs ?? 60_000;
  const catalogue = new Catalogue(store, log);
  await catalogue.refresh();
  const events = new EventFeed(log);
  const audit = new AuditTrail({
    store: store.audit,
    clock,
    log,
    flushMs: 250,
    maxWaiting: 20_000,
    keepDays: options.auditKeepDays ?? 30,
  });
  const logs = new ServerLogs({
    store: store.logs,
    clock,
    log,
    isRegistered: (id) => catalogue.get(id) !== undefined,
    keepLines: options.serverLogLines ?? 1000,
    keepDays: options.serverLogDays ?? 7,
  });
  await logs.recall();
  const unfinished = await toSyncAtStart(options, catalogue);
  const quarantineRule = options.quarantineRule ?? 'both';
  const syncs = new Syncs({
    store,
    reach,
    clock,
    log,
    catalogue,
    events,
    stdioAllowed,
    quarantineRule,
    deadlineMs: syncDeadlineMs,
    debounceMs: options.debounceMs ?? 250,
    maxDebounceMs: 60_000,
  });
  options.logins?.attach(loginAttachment({ catalogue, syncs, events, clock, reach }));
  const revalidation = new Revalidation({
    catalogue,
    syncs,
    reach,
    clock,
    everyMs: options.revalidateMs ?? 0,
    isLeader: options.isLeader ?? (() => true),
  });
  const stopListening = reach.onToolsChanged((id) => syncs.notice(id));
  const stopTelling = tellChanges(catalogue, events, clock);
  const stopWatching = watchStore({
    catalogue,
    log,
    pollMs: options.pollMs ?? 2000,
    announced: (listener) => store.watch(listener),
    reread: () => Promise.all([registry.keys.refresh(), registry.agents.reread()]),
  });
  const services = new HealthServices({
    store: store.services,
    ask: options.askService,
    clock,
    log,
    pollMs: options.pollMs ?? 2000,
  });
  syncs.inBackground(unfinished);
  const registry = new Registry({
    store,
    catalogue,
    syncs,
    audit,
    events,
    logins: options.logins,
    logs,
    services,
    sessionOffers: new SessionOffers({ catalogue, store, clock, quarantineRule }),
    reach,
    clock,
    log,
    stdioAllowed,
    admitConfig: options.admitConfig ?? (() => undefined),
    missingVariables: options.missingVariables ?? (() => []),
    registerDeadlineMs: options.registerDeadlineMs ?? 30_000,
    listDeadlineMs: syncDeadlineMs,
    stop: async () => {
      stopListening();
      revalidation.stop();
      stopTelling();
      services.stop();
      await stopWatching();
    },
  });
  return registry;
};
