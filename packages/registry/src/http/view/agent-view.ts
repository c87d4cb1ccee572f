import { maskSecret, type Agent, type KeptAgent } from '@plugboard/contract';

/** An agent as it may be shown: names of variables in clear, values masked. */
export const agentView = (agent: KeptAgent): Agent => ({
  ...agent,
  model: agent.model ?? null,
  variables: Object.fromEntries(
    Object.entries(agent.variables).map(([name, value]) => [name, maskSecret(value.reveal())]),
  ),
});
