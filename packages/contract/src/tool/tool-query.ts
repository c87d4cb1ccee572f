import { z } from 'zod';
import { serverId } from '../field/identifier.js';
import { pageQuery } from '../field/page.js';

/** Do agents get the tool, and if not, why? */
const toolState = z.enum(['offered', 'held', 'rejected', 'disabled']);
export type ToolState = z.infer<typeof toolState>;

/** Which tools, and which page of them. */
export const toolListQuery = pageQuery.extend({
  server_id: serverId.optional(),
  name: z.string().max(256).optional().describe("a tool's own or model-facing name, in full"),
  search: z.string().max(256).optional().describe('a part of a name or of a description, in any case'),
  state: toolState
    .optional()
    .describe(
      '`held` until an operator decides about its changes, `rejected` when the operator did not want them, `disabled`, or `offered`',
    ),
});
export type ToolListQuery = z.infer<typeof toolListQuery>;

/** `dry_run=true` reports what would change and changes nothing. */
export const syncQuery = z.object({
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true'),
});
