import { z } from 'zod';
import { entryName, timestamp } from '../field/text.js';

const DEFAULT_INTERVAL_S = 30;

const address = z
  .url({ protocol: /^https?$/u })
  .max(2048)
  .refine((url) => !/^https?:\/\/[^/?#]*@/iu.test(url), 'must not carry a user name or a password')
  .describe('polled with GET; a status from 200 to 299 means that the service is up');

const interval = z.number().int().min(5).max(3600).describe('the polling interval, in seconds');

/** Something a deployment depends on that speaks no MCP: it is only asked whether it is well. */
export const healthServiceCreate = z.strictObject({
  name: entryName,
  url: address,
  interval_seconds: interval.default(DEFAULT_INTERVAL_S),
});
export type HealthServiceCreate = z.infer<typeof healthServiceCreate>;

/** What was found when the service was last asked. */
export const healthServiceStatus = z.object({
  state: z.enum(['unknown', 'up', 'down']),
  checked_at: timestamp.nullable(),
  latency_ms: z.number().nonnegative().nullable(),
  http_status: z.number().int().nullable(),
  reason: z.string().nullable().describe('why it counts as down'),
});
export type HealthServiceStatus = z.infer<typeof healthServiceStatus>;

const healthService = z.object({
  name: entryName,
  url: z.string(),
  interval_seconds: z.number().int(),
  created_at: timestamp,
});
export type HealthService = z.infer<typeof healthService>;

export const healthServiceView = z.object({ ...healthService.shape, status: healthServiceStatus });
export type HealthServiceView = z.infer<typeof healthServiceView>;
