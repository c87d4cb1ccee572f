import type { Check } from '../../model/check.js';
import { deadServerContained } from './dead-server.js';
import { changesReachClient, progressReachesClient, traceReachesServer } from './forwarding.js';
import { namesTaken, unionOfServers } from './list.js';

/** What holds for a server that shows several others as one. */
export const hubChecks: readonly Check[] = [
  unionOfServers,
  deadServerContained,
  changesReachClient,
  progressReachesClient,
  traceReachesServer,
  namesTaken,
];
