import { agent, PlugboardError } from '@plugboard/contract';
import type { HubApi } from '../hub-api.js';

const shape = agent.pick({ id: true }).loose();

/** The id of an agent that was named. */
export const agentIdOf = async (api: HubApi, nameOrId: string): Promise<string> => {
  const { json } = await api.request('GET', `/v1/agents/${encodeURIComponent(nameOrId)}`);
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data.id;
  throw new PlugboardError('INTERNAL', "The hub's answer about the agent has an unknown shape.", {
    hint: 'Check that the hub and this program are of the same version.',
    cause: parsed.error,
  });
};

/** Adds the agent to a query. */
export const onBehalf = (agentId: string | undefined, separator: '?' | '&'): string =>
  agentId === undefined ? '' : `${separator}agent_id=${encodeURIComponent(agentId)}`;
