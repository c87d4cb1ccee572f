import { z } from 'zod';
import { serverId, toolsetId } from './identifier.js';
import { entryName, timestamp } from './text.js';

/** One tool of a toolset, with what is different from the original. */
export const toolsetEntry = z.strictObject({
  server_id: serverId,
  upstream_name: z.string().min(1),
  name: z.string().min(1).max(64).optional(),
  description: z.string().optional(),
  preset_arguments: z.record(z.string(), z.unknown()).optional(),
  hidden_arguments: z.array(z.string()).optional(),
});
export type ToolsetEntry = z.infer<typeof toolsetEntry>;

/** A named, curated selection of tools from several servers, served as one endpoint. */
export const toolset = z.object({
  id: toolsetId,
  name: entryName,
  description: z.string().max(4096).nullable(),
  entries: z.array(toolsetEntry).max(2000),
  read_only: z.boolean(),
  provider: z.string().nullable().describe('the provider profile its schemas are adapted to'),
  exposure: z.enum(['all', 'search']),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Toolset = z.infer<typeof toolset>;

const settable = toolset.omit({ id: true, created_at: true, updated_at: true });

export const toolsetCreate = settable.partial().required({ name: true }).strict();
export type ToolsetCreate = z.infer<typeof toolsetCreate>;

export const toolsetUpdate = settable.partial().strict();
export type ToolsetUpdate = z.infer<typeof toolsetUpdate>;
