import { Hono } from 'hono';
import type { Registry } from '../registry.js';
import type { AdminContext, AdminLog } from './admin-context.js';
import type { Endpoint } from './endpoint/endpoint.js';
import type { Operation } from './endpoint/operation.js';
import { toRouterPath } from './endpoint/path-template.js';
import { DEFAULT_LIMITS, type AdminLimits } from './limits.js';
import { declaredLength } from './middleware/declared-length.js';
import { errorEnvelope } from './middleware/error-envelope.js';
import { routeMiss } from './middleware/route-miss.js';
import { safeHeaders } from './middleware/safe-headers.js';
import type { OpenApiDocument } from './openapi/document-types.js';
import { openApiDocument } from './openapi/document.js';
import { documentationRoutes } from './route/documentation.js';
import { healthRoutes } from './route/health.js';
import { namedServerToolRoutes } from './route/named-server-tools.js';
import { namedServerTrialRoutes } from './route/named-server-trial.js';
import { namedServerRoutes } from './route/named-servers.js';
import { serverConnectRoutes } from './route/server-connect.js';
import { serverSyncRoutes } from './route/server-sync.js';
import { serverToolRoutes } from './route/server-tools.js';
import { serverRoutes } from './route/servers.js';
import { toolRoutes } from './route/tools.js';

export interface AdminAppOptions {
  readonly registry: Registry;
  readonly version: string;
  readonly log: AdminLog;
  readonly limits?: Partial<AdminLimits> | undefined;
}

/**
 * The admin API as a web-standard application: `fetch` for a listener, `request` for callers in the same process.
 * Who may call it is decided in front of it.
 */
export const createAdminApp = ({ registry, version, log, limits: given }: AdminAppOptions): Hono => {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const admin: AdminContext = { registry, version, log, limits, startedAt: performance.now() };
  let document: OpenApiDocument | undefined;
  const endpoints: readonly Endpoint[] = [
    ...serverRoutes(admin),
    ...serverSyncRoutes(admin),
    ...serverConnectRoutes(admin),
    ...serverToolRoutes(admin),
    ...toolRoutes(admin),
    ...namedServerRoutes(admin),
    ...namedServerToolRoutes(admin),
    ...namedServerTrialRoutes(admin),
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
  for (const { operation, answer } of endpoints) {
    app.on(operation.method.toUpperCase(), toRouterPath(operation.path), (c) => answer(c, limits));
  }
  return app;
};
