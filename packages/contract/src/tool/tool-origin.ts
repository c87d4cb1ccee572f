import { z } from 'zod';

/** `true` in the `_meta` of a request for tools of several servers; in that of the answer, the origin of each tool by its name. */
export const ORIGINS_META = 'dev.plugboard/origins';

/** Where a tool of a hub comes from. */
export const toolOrigin = z.object({
  server_id: z.string(),
  server_name: z.string(),
  name: z.string().describe('the name the server knows'),
  tags: z.array(z.string()),
});
export type ToolOrigin = z.infer<typeof toolOrigin>;
