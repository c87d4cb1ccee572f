import { agent } from '@plugboard/contract';
import type { HubApi } from '../hub-api.js';
import { readAnswer } from '../read-answer.js';

const shape = agent.pick({ id: true }).loose();

/** The id of the agent that was named, if any was. */
export const agentIdOf = async (api: HubApi, nameOrId: string | undefined): Promise<string | undefined> => {
  if (nameOrId === undefined) return undefined;
  const answer = await api.request('GET', `/v1/agents/${encodeURIComponent(nameOrId)}`);
  return readAnswer(shape, answer, 'the agent').id;
};

/** Adds the agent to a query. */
export const onBehalf = (agentId: string | undefined, separator: '?' | '&'): string =>
  agentId === undefined ? '' : `${separator}agent_id=${encodeURIComponent(agentId)}`;
