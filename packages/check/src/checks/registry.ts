import type { Check } from '../model/check.js';
import { authorizationChecks } from './authorization/index.js';
import { cancellationChecks } from './cancellation/index.js';
import { completionChecks } from './completion/index.js';
import { hubChecks } from './hub/index.js';
import { jsonRpcChecks } from './json-rpc/index.js';
import { lifecycleChecks } from './lifecycle/index.js';
import { lintChecks } from './lint/index.js';
import { loggingChecks } from './logging/index.js';
import { multiRoundTripChecks } from './multi-round-trip/index.js';
import { paginationChecks } from './pagination/index.js';
import { progressChecks } from './progress/index.js';
import { promptChecks } from './prompts/index.js';
import { providerChecks } from './providers/index.js';
import { resourceChecks } from './resources/index.js';
import { securityChecks } from './security/index.js';
import { serverRequestChecks } from './server-requests/index.js';
import { sseChecks } from './sse/index.js';
import { stdioChecks } from './stdio/index.js';
import { streamableHttpChecks } from './streamable-http/index.js';
import { subscriptionChecks } from './subscriptions/index.js';
import { taskChecks } from './tasks/index.js';
import { toolChecks } from './tools/index.js';

/** Every check there is, in the order of a report. One line per family. */
export const CHECKS: readonly Check[] = [
  ...lifecycleChecks,
  ...jsonRpcChecks,
  ...stdioChecks,
  ...streamableHttpChecks,
  ...sseChecks,
  ...toolChecks,
  ...resourceChecks,
  ...promptChecks,
  ...completionChecks,
  ...loggingChecks,
  ...paginationChecks,
  ...subscriptionChecks,
  ...cancellationChecks,
  ...progressChecks,
  ...serverRequestChecks,
  ...multiRoundTripChecks,
  ...taskChecks,
  ...authorizationChecks,
  ...lintChecks,
  ...providerChecks,
  ...securityChecks,
  ...hubChecks,
];
