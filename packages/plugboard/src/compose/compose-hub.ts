import { join } from 'node:path';
import { isLoopbackHost } from '@plugboard/base';
import {
  createConfinement,
  createServerPolicies,
  createSupervisor,
  createUrlGuard,
  DEFAULT_DEADLINES,
  isLinkFailure,
  missingVariables,
} from '@plugboard/client';
import { type ProcessLoad, type ReadyAnswer, type ServerId, toPlugboardError } from '@plugboard/contract';
import { createGateway, type Gateway, LargeAnswers, UpstreamPool } from '@plugboard/gateway';
import { type AdminAppOptions, createRegistry, type Registry } from '@plugboard/registry';
import { composeAccess } from './compose-access.js';
import { composeAgentModels } from './compose-agent-models.js';
import { OpenAnswers } from '../access/open-answers.js';
import { serviceAsker } from '../upstream/ask-health-service.js';
import { composeFleet } from './compose-fleet.js';
import { composeKeyedRequests } from './compose-keyed-requests.js';
import { composeLogins } from './compose-logins.js';
import { lateAdminApi } from './late-admin-api.js';
import { variableOf } from '../upstream/config/config-variable.js';
import { admitConfig } from '../upstream/config/config-admission.js';
import { consoleSite } from '../http-server/console-site.js';
import { docsSite } from '../http-server/docs-site.js';
import { sites } from '../http-server/site.js';
import { FlowLog } from '../log/flow-log.js';
import { fetchHandler } from '../http-server/fetch-handler.js';
import { hubId } from '../hub-loop/hop.js';
import { KnownHubs } from '../hub-loop/known-hubs.js';
import type { Hub } from './hub.js';
import { HubPlugins } from '../plugin/hub-plugins.js';
import { serverToolCaller } from '../plugin/server-tool-caller.js';
import type { Logger } from '../log/logger.js';
import { nodeHandler } from '../http-server/node-handler.js';
import { composeMonitor } from './compose-monitor.js';
import { composeObservation, sessionLost } from './compose-observation.js';
import type { ComposeOptions } from './compose-options.js';
import { openStore } from '../store/open-store.js';
import { packageDirectory } from '../http-server/package-directory.js';
import { hiddenFrom, inheritedBy } from '../upstream/program/program-sandbox.js';
import { machineRoom, processCapacity } from '../upstream/program/process-capacity.js';
import { masterKeyRotation } from '../master-key/rotate-master.js';
import { storeState } from './store-state.js';
import { startTelemetry } from '../telemetry/telemetry.js';
import { makeUpstreamClient, type UpstreamClientParts } from '../upstream/upstream-client.js';
import { LaunchedServers } from '../upstream/program/launched-servers.js';
import { PoliciesByServer } from '../upstream/policies-by-server.js';
import { ServerJournals } from '../upstream/program/server-journals.js';
import { sharedNetwork } from '../upstream/config/server-network.js';
import { upstreamReach } from '../upstream/upstream-reach.js';
import { monitorMetrics } from '../monitor/monitor-metrics.js';
import { composePressure } from '../pressure/pressure.js';
import { composeReferee } from './compose-referee.js';
import type { Settings } from '../settings/settings.js';
import { VERSION } from '../process/version.js';

/** For all connections of a server together; a call that waits for its user's answer counts as well. */
const BULKHEAD = { maxConcurrent: 256, maxQueued: 1024 };
/** How long the search for processes of a dead hub may take. */
const REAP_MS = 10_000;
/** For all pages of a list of tools. */
const SYNC_MS = 60_000;

const byName = <State>(registry: Registry, stateOf: (id: ServerId) => State): Record<string, State> =>
  Object.fromEntries(registry.snapshot().entries.map(({ server }) => [server.server_name, stateOf(server.id)]));

/** The programs that ended in the last hour without being asked to. */
const failingPrograms = (registry: Registry): NonNullable<ReadyAnswer['programs']> =>
  Object.fromEntries(
    registry.snapshot().entries.flatMap(({ server }) => {
      const facts = registry.logs.programOf(server.id);
      return facts === undefined || facts.failures_last_hour === 0 ? [] : [[server.server_name, facts]];
    }),
  );

/** The composition root: every implementation is chosen here, and nothing is opened to the outside. */
export const composeHub = async (
  settings: Settings,
  log: Logger,
  { joinsFleet = false, localKey, siblings, samplesOf }: ComposeOptions = {},
): Promise<Hub> => {
  const startedAt = performance.now();
  const opened = await openStore(settings, siblings);
  const { store } = opened;
  const pressure = composePressure(settings.bounds, log);
  const confinement = createConfinement(hiddenFrom(settings));
  const supervisor = createSupervisor({
    confinement,
    pidDirectory: join(settings.home, 'children'),
    maxChildren: settings.processes.max ?? processCapacity(machineRoom()),
    maxWaitMs: settings.processes.waitMs,
  });
  const processes = (): ProcessLoad => {
    const { used, ...load } = supervisor.slots();
    return { running: used, ...load };
  };
  const telemetry = await startTelemetry(settings.observe, log);
  const urls = createUrlGuard(settings.urls);
  const oauth = composeLogins({
    store,
    settings,
    urls,
    log,
    browserKey: opened.taskKey,
    agentOf: (id) => registry.agents.known(id),
  });
  const asker = serviceAsker(urls, sharedNetwork(settings.network));
  // The client has deadlines for calls, which progress extends; the policies only have the outermost one.
  const policies = new PoliciesByServer(() =>
    createServerPolicies({
      totalMs: DEFAULT_DEADLINES.maxCallMs,
      bulkhead: BULKHEAD,
      breaker: { countsAsFailure: isLinkFailure },
    }),
  );
  const logs = new ServerJournals(() => registry.logs, log);
  const flows = new FlowLog(log);
  const launched = new LaunchedServers({
    supervisor,
    inheritedBy: (sandbox) => inheritedBy(sandbox, settings),
    idleMs: settings.patience.connectionMs,
    journalFor: (server) => logs.journalFor(server),
  });
  const ownId = hubId(opened.taskKey);
  const hubs = new KnownHubs(ownId, (id) =>
    registry.snapshot().entries.some(({ server, tools }) => server.id === id && tools.length > 0),
  );
  const clientParts: UpstreamClientParts = {
    settings,
    hubId: ownId,
    launched,
    logs,
    policiesByServer: policies,
    supervisor,
    urls,
    memory: pressure.memory,
    logins: oauth.logins,
    agentOf: (id) => registry.agents.known(id),
    log,
    flows,
    onSessionLost: (...lost) => registry.events.emit(sessionLost(...lost)),
  };
  const upstream = new UpstreamPool({
    idleMs: settings.patience.connectionMs,
    makeClient: (server, request) => makeUpstreamClient(clientParts, server, request),
    onIdle: () => supervisor.noteIdle(),
    isCrowded: () => supervisor.slots().used >= supervisor.slots().max,
  });
  const stopEvicting = supervisor.addIdleSource(() => upstream.idlest());
  const fleet = joinsFleet
    ? composeFleet({
        store: store.fleet,
        settings,
        taskKey: opened.taskKey,
        log,
        snapshot: () => registry.snapshot(),
        access: () => access,
        holdsSession: (id) => gateway.holdsSession(id),
        releaseShared: (id) => upstream.releaseShared(id),
      })
    : undefined;
  const registry = await createRegistry({
    store,
    isLeader: () => fleet === undefined || fleet.isLeader,
    reach: upstreamReach({
      pool: upstream,
      policies,
      supervisor,
      launched,
      hubs,
      runTool: (...run) => gateway.runTool(...run),
    }),
    askService: asker.ask,
    clock: { now: Date.now },
    log,
    logins: oauth.logins,
    stdioAllowed: settings.stdio.mode !== 'off',
    admitConfig: (config) => admitConfig(config, { stdio: settings.stdio, urls }),
    missingVariables: (config) => missingVariables(config, variableOf(settings, { config })),
    // A list has deadlines of its own once its server is asked; before that, its process may wait for a place.
    syncDeadlineMs: SYNC_MS + settings.processes.waitMs,
    quarantineRule: settings.guard.quarantine,
    revalidateMs: settings.patience.revalidateMs,
    auditKeepDays: settings.observe.auditDays,
    serverLogLines: settings.observe.serverLogLines,
    serverLogDays: settings.observe.serverLogDays,
  });
  const stopRetaining = registry.onChange(({ entries }) => {
    policies.retain(new Set(entries.map(({ server }) => server.id)));
    launched.retain(new Set(entries.flatMap(({ server }) => (server.enabled ? [server.id] : []))));
  });
  const reaping = supervisor.reapOrphans(AbortSignal.timeout(REAP_MS)).catch((thrown: unknown) => {
    log.warn('The hub could not look for processes left behind by an earlier hub.', { reason: String(thrown) });
  });
  let status: ReadyAnswer['status'] = 'ready';
  const onInternalError = (error: unknown): void => log.error('A request failed inside the hub.', { err: error });
  const observation = composeObservation({
    settings,
    registry,
    tracer: telemetry.tracer,
    log,
    counts: {
      sessions: () => gateway.sessionCount(),
      connections: () => upstream.size,
      children: processes,
      load: (id) => policies.load(id),
      pressure: () => pressure.figures(),
    },
    onInternalError,
  });
  const access = composeAccess({
    settings,
    registry,
    urls,
    localKey,
    fleet,
    keeping: store.sessions,
    onUnsaved: (err) => log.warn('A browser session could not be saved. It ends with this process.', { err }),
  });
  const large = new LargeAnswers({
    maxResultBytes: settings.guard.maxResultBytes,
    onFailure: (err) => log.warn('The thread that reads large responses exited.', { err }),
  });
  const keyedRequests = composeKeyedRequests({ store, fleet, log });
  const gateway: Gateway = createGateway({
    identity: { name: 'plugboard', version: VERSION },
    catalogue: {
      snapshot: () => registry.snapshot(),
      status: (id) => registry.status(id),
      onChange: (listener) => registry.onChange(listener),
      compareSessionList: (id, list) => registry.compareSessionList(id, list),
      aliases: settings.aliases,
    },
    upstream,
    ready: async () => ({
      status,
      store: await storeState(store),
      servers: byName(registry, (id) => registry.status(id)),
      calls: byName(registry, (id) => policies.load(id)),
      programs: failingPrograms(registry),
      processes: processes(),
      services: registry.services.states(),
    }),
    uptimeMs: () => Math.round(performance.now() - startedAt),
    onInternalError,
    steps: observation.steps,
    toolsets: observation.toolsets.find,
    sessions: {
      idleMs: settings.patience.sessionMs,
      maxSessions: settings.bounds.sessions,
      maxPerCaller: settings.bounds.sessionsPerCaller,
    },
    keepSessions: store.sessions,
    onSessionsUnsaved: (error) =>
      log.warn('Sessions of clients could not be saved.', {
        reason: toPlugboardError(error).message,
      }),
    memory: pressure.memory,
    large,
    hubs: hubs.behind,
    backpressure: { stallMs: settings.patience.readerMs },
    taskKey: opened.taskKey,
    flows,
    fleet: fleet?.side,
    keyedRequests,
  });
  const rotateMaster = masterKeyRotation(opened, settings.masterKey);
  const referee = composeReferee({
    settings,
    registry,
    logins: oauth.logins,
    own: oauth.own,
    urls,
    confinement,
    log,
    runs: store,
    fleet,
  });
  const models = composeAgentModels({
    settings,
    registry,
    gateway,
    callers: access.callers,
    urls,
    own: oauth.own,
    hubId: ownId,
    mark: fleet?.mark,
  });
  const plugins = new HubPlugins({
    plugins: settings.plugins,
    environment: settings.environment,
    serverTools: (server) => serverToolCaller(gateway, server),
    log,
  });
  const monitor = composeMonitor({
    settings,
    store,
    registry,
    upstream,
    urls,
    tracer: telemetry.tracer,
    log,
    isLeader: () => fleet === undefined || fleet.isLeader,
  });
  const adminParts: AdminAppOptions = {
    registry,
    version: VERSION,
    startedAt,
    log,
    ...referee.runs,
    plugins,
    samples: samplesOf?.(registry),
    monitor,
    dataPlane: {
      ...observation.dataPlane,
      metrics: async () => {
        const { contentType, text } = await observation.dataPlane.metrics();
        return { contentType, text: text + monitorMetrics(monitor.known()) };
      },
    },
    models,
    rotateMaster,
    keyedRequests,
  };
  const admin = lateAdminApi(adminParts, access, onInternalError);
  const handle = nodeHandler({
    gateway,
    admin: admin.handle,
    requestAccess: access.requestAccess,
    sessionRoutes: access.sessionRoutes,
    resource: access.resource,
    site: sites([
      docsSite(join(packageDirectory(), 'dist/site')),
      consoleSite(join(packageDirectory(), 'dist/console')),
    ]),
    publicUrl: settings.publicUrl,
    hubId: ownId,
    localOnly: isLoopbackHost(settings.host),
    pressure,
    elsewhere: fleet && ((...exchange) => fleet.elsewhere(...exchange)),
    adminElsewhere: fleet && ((...exchange) => fleet.adminElsewhere(...exchange)),
    browserElsewhere: fleet && ((...exchange) => fleet.browserElsewhere(...exchange)),
    onInternalError,
  });
  return {
    registry,
    fetch: fetchHandler({ gateway, admin: admin.fetch }),
    handle,
    join: async () => fleet?.join(handle),
    leave: async () => {
      if (fleet === undefined) return;
      // The others continue the sessions from what is stored.
      await gateway.saveSessions().catch((thrown: unknown) => onInternalError(thrown));
      await fleet.leave();
    },
    beginStopping: () => {
      status = 'stopping';
      monitor.stop();
      gateway.beginStopping();
    },
    listensAt: (url) => {
      monitor.start();
      oauth.listensAt(url);
      access.listensAt(url);
      admin.loadSoon();
    },
    endUnproven: new OpenAnswers(access.requestAccess).endUnproven,
    localKey: access.localKey,
    openSignInLink: () => access.openSignInLink(),
    accessControlled: () => access.gate.demanded(),
    serveStdio: (streams, signal, endpoint) => gateway.serveStdio(streams, signal, endpoint),
    close: async () => {
      admin.close();
      stopRetaining();
      stopEvicting();
      pressure.close();
      await monitor.close();
      await fleet?.close();
      await plugins[Symbol.asyncDispose]();
      await gateway.close();
      keyedRequests.close();
      large.close();
      await referee.close();
      await models.close();
      await access.flush();
      await registry.close();
      await upstream.close();
      await oauth.close();
      await asker.close();
      await access.close();
      await telemetry.close();
      await reaping;
      await supervisor[Symbol.asyncDispose]();
    },
  };
};
