import { z } from 'zod';
import { timestamp } from '../field/text.js';
import { role } from './principal.js';

/** What `/v1/session` answers: who is signed in. */
export const webSessionView = z.object({
  principal: z.string(),
  role,
  agent_id: z.string().nullable(),
  csrf_token: z.string().nullable().describe('sent as x-plugboard-csrf with every change; null for callers with a key'),
  expires_at: timestamp.nullable(),
});
export type WebSessionView = z.infer<typeof webSessionView>;
