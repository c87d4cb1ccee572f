import { z } from 'zod';

/** Query members of every list route. `after` is the id of the last entry of the page before. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  after: z.string().max(128).optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;
