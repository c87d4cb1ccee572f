import type { AgentId } from '@plugboard/contract';
import { z } from 'zod';
import type { Registry } from '../../registry.js';

/** Letta's clients may name an agent whose variables are to be used. */
export const agentQuery = z.object({
  agent_id: z.string().max(128).optional().describe('the agent whose variables fill the templates of the config'),
});

/** The agent that was named. One that is not there is an error: to ignore it would use the wrong credentials. */
export const agentNamed = async (
  registry: Registry,
  { agent_id }: z.infer<typeof agentQuery>,
): Promise<AgentId | undefined> => (agent_id === undefined ? undefined : (await registry.agents.get(agent_id)).id);
