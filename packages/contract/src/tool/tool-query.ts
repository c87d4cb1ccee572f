import { z } from 'zod';
import { serverId } from '../field/identifier.js';
import { pageQuery } from '../field/page.js';

/** Which tools, and which page of them. */
export const toolListQuery = pageQuery.extend({
  server_id: serverId.optional(),
  name: z.string().max(256).optional().describe("a tool's own or model-facing name, in full"),
  search: z.string().max(256).optional().describe('a part of a name or of a description, in any case'),
});
export type ToolListQuery = z.infer<typeof toolListQuery>;

/** `dry_run=true` reports what would change and changes nothing. */
export const syncQuery = z.object({
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true'),
});
