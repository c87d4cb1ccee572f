import { z } from 'zod';
import { CHECK_RUN_EVENTS } from '../check/check-run.js';
import { serverId, toolId } from '../field/identifier.js';
import { serverStatus } from '../server/server.js';
import { monitorAlertKind } from './monitor.js';
import { syncReport } from '../server/sync-report.js';
import { timestamp } from '../field/text.js';

const ofServer = { at: timestamp, server_id: serverId, server_name: z.string() };

/** Something that happened in the hub, as `/v1/events` tells it. */
export const hubEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('server_added'), ...ofServer }),
  z.object({ event: z.literal('server_changed'), ...ofServer }),
  z.object({ event: z.literal('server_removed'), ...ofServer }),
  z.object({ event: z.literal('server_status'), ...ofServer, status: serverStatus }),
  z.object({ event: z.literal('server_synced'), ...ofServer, report: syncReport }),
  z.object({ event: z.literal('tool_quarantined'), ...ofServer, tool_id: toolId, tool: z.string() }),
  z.object({ event: z.literal('tool_approved'), ...ofServer, tool_id: toolId, tool: z.string() }),
  z.object({ event: z.literal('tool_rejected'), ...ofServer, tool_id: toolId, tool: z.string() }),
  z.object({ event: z.literal('session_lost'), ...ofServer, reason: z.string() }),
  z.object({ event: z.literal('oauth_authorized'), ...ofServer }),
  z.object({ event: z.literal('oauth_refreshed'), ...ofServer }),
  z.object({ event: z.literal('oauth_required'), ...ofServer, reason: z.string() }),
  z.object({ event: z.literal('oauth_revoked'), ...ofServer }),
  z.object({ event: z.literal('toolset_changed'), at: timestamp, name: z.string() }),
  z.object({ event: z.literal('toolset_removed'), at: timestamp, name: z.string() }),
  z.object({ event: z.literal('monitor_alert'), ...ofServer, kind: monitorAlertKind, message: z.string() }),
  ...CHECK_RUN_EVENTS,
  z.object({
    event: z.literal('events_missed'),
    at: timestamp,
    count: z.number().int().positive().describe('the number of events that this reader missed because it was too slow'),
  }),
]);
export type HubEvent = z.infer<typeof hubEvent>;
