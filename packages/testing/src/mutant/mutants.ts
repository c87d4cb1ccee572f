import { authorizationMutants } from './authorization.js';
import { cancellationMutants } from './cancellation.js';
import { completionMutants } from './completion.js';
import { hubMutants } from './hub.js';
import { jsonRpcMutants } from './json-rpc.js';
import { lifecycleMutants } from './lifecycle.js';
import { lintMutants } from './lint.js';
import { loggingMutants } from './logging.js';
import { multiRoundTripMutants } from './multi-round-trip.js';
import type { Mutant } from './mutant.js';
import { paginationMutants } from './pagination.js';
import { progressMutants } from './progress.js';
import { promptMutants } from './prompts.js';
import { providerMutants } from './providers.js';
import { MutantServer } from './reference-server.js';
import { resourceMutants } from './resources.js';
import { securityMutants } from './security.js';
import { serverRequestMutants } from './server-requests.js';
import { sseMutants } from './sse.js';
import { stdioMutants } from './stdio.js';
import { streamableHttpMutants } from './streamable-http.js';
import { subscriptionMutants } from './subscriptions.js';
import { taskMutants } from './tasks.js';
import { toolMutants } from './tools.js';

/** Every mutant there is. One line per family. */
export const MUTANTS: readonly Mutant[] = [
  ...lifecycleMutants,
  ...jsonRpcMutants,
  ...stdioMutants,
  ...streamableHttpMutants,
  ...sseMutants,
  ...toolMutants,
  ...resourceMutants,
  ...promptMutants,
  ...completionMutants,
  ...loggingMutants,
  ...paginationMutants,
  ...subscriptionMutants,
  ...cancellationMutants,
  ...progressMutants,
  ...serverRequestMutants,
  ...multiRoundTripMutants,
  ...taskMutants,
  ...authorizationMutants,
  ...lintMutants,
  ...providerMutants,
  ...securityMutants,
  ...hubMutants,
];

/** The server with this defect. */
export const mutantServer = ({ mutation }: Mutant): MutantServer =>
  new MutantServer(typeof mutation === 'function' ? mutation() : mutation);
