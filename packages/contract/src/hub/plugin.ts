import { z } from 'zod';
import { errorDescription } from '../error/error-envelope.js';

/** A plug-in of the hub: what it is, and whether it works. */
export const pluginView = z.object({
  name: z.string(),
  /** The module as the configuration file names it. */
  module: z.string(),
  /** The registered server that it works with, where it is one. */
  server: z.string().nullable(),
  state: z.enum(['ready', 'failing']),
  version: z.string().nullable(),
  description: z.string().nullable(),
  actions: z.array(z.object({ name: z.string(), aliases: z.array(z.string()), required: z.array(z.string()) })),
  error: errorDescription.optional(),
});
export type PluginView = z.infer<typeof pluginView>;

export const pluginRun = z.strictObject({
  action: z.string().min(1).max(128),
  parameters: z.record(z.string(), z.unknown()).optional(),
  /** Handed through to the plug-in, such as the id of a user. */
  context: z.record(z.string(), z.unknown()).optional(),
});
export type PluginRun = z.infer<typeof pluginRun>;

/** What came of an action; `partial` has both data and an error. */
export const pluginOutcome = z.object({
  request_id: z.string(),
  timestamp: z.string(),
  status: z.enum(['success', 'error', 'partial']),
  data: z.unknown().optional(),
  error: errorDescription.optional(),
  metadata: z.record(z.string(), z.unknown()),
});
export type PluginOutcome = z.infer<typeof pluginOutcome>;
