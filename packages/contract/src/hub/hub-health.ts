import { z } from 'zod';
import { healthServiceStatus } from './health-service.js';
import { programFacts } from '../server/server-log.js';
import { serverStatus } from '../server/server.js';

export const healthAnswer = z.object({
  status: z.literal('ok'),
  version: z.string(),
  uptime_ms: z.number().nonnegative(),
});
export type HealthAnswer = z.infer<typeof healthAnswer>;

/** What goes on between all callers and one server. */
const callLoad = z.object({
  circuit: z
    .enum(['closed', 'open', 'half-open'])
    .describe('open: the server failed repeatedly, and calls are blocked for a while'),
  retry_after_ms: z.number().nonnegative().optional().describe('when one call may try an open circuit'),
  calls_running: z.number().int().nonnegative(),
  calls_queued: z.number().int().nonnegative(),
});
export type CallLoad = z.infer<typeof callLoad>;

/** How many processes of servers run, and how many may. */
const processLoad = z.object({
  running: z.number().int(),
  max: z.number().int(),
  waiting: z.number().int().describe('starts that wait for a place'),
  evicted: z.number().int().describe('idle processes that were stopped to make room, since the hub started'),
});
export type ProcessLoad = z.infer<typeof processLoad>;

/** Ready means that the hub can answer; a failing server is shown, and does not make the hub unready. */
export const readyAnswer = z.object({
  status: z.enum(['ready', 'starting', 'stopping']),
  store: z.enum(['ok', 'failing']),
  servers: z.record(z.string(), serverStatus),
  calls: z.record(z.string(), callLoad).optional(),
  programs: z.record(z.string(), programFacts).optional().describe('servers whose programs failed in the last hour'),
  processes: processLoad.optional(),
  services: z.record(z.string(), healthServiceStatus),
});
export type ReadyAnswer = z.infer<typeof readyAnswer>;
