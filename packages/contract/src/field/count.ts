import { z } from 'zod';

/** How many there are. */
export const count = z.number().int().nonnegative();
