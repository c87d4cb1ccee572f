import { z } from 'zod';
import { count } from '../field/count.js';
import { serverId } from '../field/identifier.js';
import { timestamp } from '../field/text.js';

const milliseconds = z.number().nonnegative();
const share = z.number().min(0).max(1);

/** One step of a probe, as it is kept. */
const monitorSample = z.object({
  at: timestamp,
  server_id: serverId,
  method: z.enum(['handshake', 'tools/list', 'tools/call']),
  tool: z.string().nullable().describe('the canary tool, for tools/call'),
  ok: z.boolean(),
  code: z.string().nullable().describe('the error code of a step that failed'),
  duration_ms: milliseconds,
});
export type MonitorSample = z.infer<typeof monitorSample>;

/** How often something was done, how often it failed, and how long it took when it succeeded. */
const monitorFigures = z.object({
  count,
  failed: count,
  success_rate: share.nullable().describe('null before the first sample'),
  mean_ms: milliseconds,
  min_ms: milliseconds,
  max_ms: milliseconds,
  p50_ms: milliseconds,
  p95_ms: milliseconds,
  p99_ms: milliseconds,
  errors: z.record(z.string(), count).describe('failures by error code'),
});
export type MonitorFigures = z.infer<typeof monitorFigures>;

const monitorSeries = monitorFigures.extend({ method: z.string(), tool: z.string().optional() });
export type MonitorSeries = z.infer<typeof monitorSeries>;

export const monitorAlertKind = z.enum(['down', 'up', 'burn', 'drift', 'certificate', 'token']);
export type MonitorAlertKind = z.infer<typeof monitorAlertKind>;

const monitorAlert = z.object({
  at: timestamp,
  kind: monitorAlertKind,
  server_id: serverId,
  server_name: z.string(),
  message: z.string(),
});
export type MonitorAlert = z.infer<typeof monitorAlert>;

const monitorDrift = z.object({
  since: timestamp,
  against: z.enum(['lock-file', 'catalogue']).describe('what the list of tools was compared with'),
  kind: z.enum(['breaking', 'instruction', 'compatible']).describe('the gravest change'),
  changes: z.array(z.string()).describe('at most 20 of them'),
});
export type MonitorDrift = z.infer<typeof monitorDrift>;

/** The results of the probes of one server. */
export const monitoredServer = z.object({
  server_id: serverId,
  server_name: z.string(),
  state: z
    .enum(['unknown', 'up', 'failing', 'down', 'not-probed'])
    .describe('failing: the last probe failed; down: several in a row did; not-probed: reason says why'),
  reason: z.string().nullable(),
  checked_at: timestamp.nullable(),
  probes: count,
  availability: share.nullable().describe('share of probes without a failed step, in the window'),
  burn: z
    .object({ hour: z.number().nullable(), six_hours: z.number().nullable() })
    .describe('how many times faster than allowed the error budget is used up; null without probes'),
  budget_left: z.number().nullable().describe('share of the error budget of the window that is left; may be negative'),
  series: z.array(monitorSeries),
  drift: monitorDrift.nullable(),
  certificate: z.object({ expires_at: timestamp, days_left: z.number() }).nullable(),
  token: z.object({ expires_at: timestamp, renewable: z.boolean() }).nullable().describe('the hub’s OAuth token'),
});
export type MonitoredServer = z.infer<typeof monitoredServer>;

/** What `/v1/monitor` answers. */
export const monitorView = z.object({
  enabled: z.boolean(),
  interval_seconds: z.number().positive(),
  window_seconds: z.number().positive().describe('the figures cover at most this much time'),
  objective: share.describe('the share of probes that must succeed'),
  servers: z.array(monitoredServer),
  alerts: z.array(monitorAlert).describe('the newest first, at most 50'),
});
export type MonitorView = z.infer<typeof monitorView>;

export const monitorHistoryQuery = z.object({
  hours: z.coerce.number().int().min(1).max(8_760).default(24).describe('how far back'),
  bucket_minutes: z.coerce.number().int().min(1).max(1_440).default(60).describe('the width of a bucket'),
});

const monitorBucket = monitorFigures.extend({
  from: timestamp,
  method: z.string(),
  tool: z.string().optional(),
});
export type MonitorBucket = z.infer<typeof monitorBucket>;

/** What `/v1/monitor/{server}/history` answers. */
export const monitorHistory = z.object({
  server_id: serverId,
  buckets: z.array(monitorBucket),
  truncated: z.boolean().describe('older samples were left out because there are too many'),
});
export type MonitorHistory = z.infer<typeof monitorHistory>;
