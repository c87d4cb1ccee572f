import { PlugboardError } from '@plugboard/contract';
import { z } from 'zod';

/** Letta's clients may name an agent whose variables are to be used. */
export const agentQuery = z.object({
  agent_id: z.string().max(128).optional().describe('the agent whose variables fill the templates of the config'),
});

/** No agent is known here, so that a named one is missing; to ignore it would use the wrong credentials. */
export const refuseAgent = ({ agent_id }: z.infer<typeof agentQuery>): void => {
  if (agent_id === undefined) return;
  throw new PlugboardError('NOT_FOUND', 'There is no such agent.', { hint: 'Leave agent_id out.' });
};
