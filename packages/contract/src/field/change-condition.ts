import { timestamp } from './text.js';

/** For changes that were computed from what was read: without it, one of two at the same time would be lost. */
export const changeCondition = {
  if_updated_at: timestamp
    .optional()
    .describe('the `updated_at` that you read; the change is rejected with `CONFLICT` if it is a different one now'),
};
