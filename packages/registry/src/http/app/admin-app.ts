import type { KeyedRequests } from '@plugboard/contract';
import { Hono } from 'hono';
import type { AgentModels } from '../../port/agent-models.js';
import type { BenchRuns } from '../../port/bench-runs.js';
import type { CheckRuns } from '../../port/check-runs.js';
import { type DataPlane, noDataPlane } from '../../port/data-plane.js';
import type { Registry } from '../../facade/registry.js';
import type { AdminContext, AdminLog, RotateMaster } from '../admin-context.js';
import { type Admit, admitEverybody, admitted } from '../endpoint/admission.js';
import { answeredOnce } from '../endpoint/answered-once.js';
import { audited } from '../endpoint/audited.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { Operation } from '../operation.js';
import { toRouterPath } from '../endpoint/path-template.js';
import { DEFAULT_LIMITS, type AdminLimits } from '../limits.js';
import { declaredLength } from '../middleware/declared-length.js';
import { errorEnvelope } from '../middleware/error-envelope.js';
import { routeMiss } from '../middleware/route-miss.js';
import { safeHeaders } from '../middleware/safe-headers.js';
import type { OpenApiDocument } from '../openapi/document-types.js';
import { openApiDocument } from '../openapi/document.js';
import { agentToolRoutes } from '../route/agent-tools.js';
import { agentModelRoutes } from '../route/agent-models.js';
import { agentRoutes } from '../route/agents.js';
import { auditRoutes } from '../route/audit.js';
import type { Monitor } from '../../port/monitor.js';
import type { Plugins } from '../../port/plugins.js';
import type { Samples } from '../../port/samples.js';
import { pluginRoutes } from '../route/plugins.js';
import { benchmarkRoutes } from '../route/benchmarks.js';
import { checkRoutes } from '../route/checks.js';
import { documentationRoutes } from '../route/documentation.js';
import { eventRoutes } from '../route/events.js';
import { figureRoutes } from '../route/figures.js';
import { healthRoutes } from '../route/health.js';
import { keyRoutes } from '../route/keys.js';
import { monitorRoutes } from '../route/monitor.js';
import { namedServerToolRoutes } from '../route/named-server-tools.js';
import { namedServerTrialRoutes } from '../route/named-server-trial.js';
import { namedServerRoutes } from '../route/named-servers.js';
import { oauthBeginRoutes } from '../route/oauth-begin.js';
import { oauthCallbackRoutes } from '../route/oauth-callback.js';
import { oauthSessionRoutes } from '../route/oauth-sessions.js';
import { serverConnectRoutes } from '../route/server-connect.js';
import { serverOperationRoutes } from '../route/server-operation.js';
import { serverSyncRoutes } from '../route/server-sync.js';
import { serverToolRoutes } from '../route/server-tools.js';
import { serverRoutes } from '../route/servers.js';
import { healthServiceRoutes } from '../route/health-services.js';
import { toolRoutes } from '../route/tools.js';
import { sampleRoutes } from '../route/samples.js';
import { toolsetRoutes } from '../route/toolsets.js';

export interface AdminAppOptions {
  readonly registry: Registry;
  readonly version: string;
  /** When the hub started, by `performance.now()`; now, when left out. */
  readonly startedAt?: number | undefined;
  readonly log: AdminLog;
  readonly limits?: Partial<AdminLimits> | undefined;
  /** Nothing is served when left out. */
  readonly dataPlane?: DataPlane | undefined;
  readonly rotateMaster?: RotateMaster | undefined;
  readonly checks?: CheckRuns | undefined;
  readonly benchmarks?: BenchRuns | undefined;
  /** Answers for agents; without it, none can be asked. */
  readonly models?: AgentModels | undefined;
  readonly plugins?: Plugins | undefined;
  /** Without them, nobody can add any. */
  readonly samples?: Samples | undefined;
  readonly monitor?: Monitor | undefined;
  /** Carries requests with an idempotency key out once; without it, the key is not looked at. */
  readonly keyedRequests?: KeyedRequests | undefined;
  /** Who may do what; everybody is on this machine and may do everything when left out. */
  readonly admit?: Admit | undefined;
}

/**
 * The admin API as a web-standard application: `fetch` for a listener, `request` for callers in the same process.
 * Who may call what is decided by `admit`.
 */
export const createAdminApp = (options: AdminAppOptions): Hono => {
  const { registry, version, log, dataPlane = noDataPlane, admit = admitEverybody } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const admin: AdminContext = {
    registry,
    dataPlane,
    version,
    log,
    limits,
    rotateMaster: options.rotateMaster,
    checks: options.checks,
    benchmarks: options.benchmarks,
    plugins: options.plugins,
    samples: options.samples,
    monitor: options.monitor,
    models: options.models,
    startedAt: options.startedAt ?? performance.now(),
  };
  let document: OpenApiDocument | undefined;
  const endpoints: readonly Endpoint[] = [
    ...serverRoutes(admin),
    ...sampleRoutes(admin),
    ...serverSyncRoutes(admin),
    ...serverOperationRoutes(admin),
    ...serverConnectRoutes(admin),
    ...serverToolRoutes(admin),
    ...toolRoutes(admin),
    ...toolsetRoutes(admin),
    ...agentRoutes(admin),
    ...agentToolRoutes(admin),
    ...agentModelRoutes(admin),
    ...keyRoutes(admin),
    ...namedServerRoutes(admin),
    ...namedServerToolRoutes(admin),
    ...namedServerTrialRoutes(admin),
    ...oauthSessionRoutes(admin),
    ...oauthBeginRoutes(admin),
    ...oauthCallbackRoutes(admin),
    ...checkRoutes(admin),
    ...benchmarkRoutes(admin),
    ...healthServiceRoutes(admin),
    ...pluginRoutes(admin),
    ...monitorRoutes(admin),
    ...figureRoutes(admin),
    ...eventRoutes(admin),
    ...auditRoutes(admin),
    ...healthRoutes(admin),
    ...documentationRoutes(() => (document ??= openApiDocument(operations, version))),
  ];
  const operations: readonly Operation[] = endpoints.map(({ operation }) => operation);
  // Not strict: a path with a slash at its end is the same path, as Letta's clients write it.
  const app = new Hono({ strict: false });
  app.onError(errorEnvelope(log));
  app.notFound(routeMiss(operations));
  app.use(safeHeaders);
  app.use(declaredLength(limits.maxBodyBytes));
  for (const endpoint of endpoints) {
    const { operation, answer } = audited(admitted(answeredOnce(endpoint, options.keyedRequests), admit), registry);
    app.on(operation.method.toUpperCase(), toRouterPath(operation.path), (c) => answer(c, limits));
  }
  return app;
};
