import { z } from 'zod';
import { healthServiceStatus } from './health-service.js';
import { serverStatus } from './server.js';

export const healthAnswer = z.object({
  status: z.literal('ok'),
  version: z.string(),
  uptime_ms: z.number().nonnegative(),
});
export type HealthAnswer = z.infer<typeof healthAnswer>;

/** Ready means that the hub can answer; a failing server is shown, and does not make the hub unready. */
export const readyAnswer = z.object({
  status: z.enum(['ready', 'starting', 'stopping']),
  store: z.enum(['ok', 'failing']),
  servers: z.record(z.string(), serverStatus),
  services: z.record(z.string(), healthServiceStatus),
});
export type ReadyAnswer = z.infer<typeof readyAnswer>;
