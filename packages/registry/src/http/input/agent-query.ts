import { z } from 'zod';

/** Letta's clients may name an agent whose variables are to be used. */
export const agentQuery = z.object({
  agent_id: z.string().max(128).optional().describe('the agent whose variables and logins are used'),
});
