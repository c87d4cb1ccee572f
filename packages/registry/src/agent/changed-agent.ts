import { revealed, Secret, type AgentUpdate, type KeptAgent } from '@plugboard/contract';
import { unmaskAll } from '../server/masked-secret.js';

type Variables = KeptAgent['variables'];

const mapped = <From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const variablesAfter = (stored: Variables, given: AgentUpdate['variables']): Variables =>
  given === undefined
    ? stored
    : mapped(
        unmaskAll(
          given,
          mapped(stored, (value) => revealed(value)),
          'variables',
        ),
        (value) => Secret.of(value),
      );

/** The agent after a change: what is left out stays, and a mask stands for what is stored. */
export const changedAgent = (agent: KeptAgent, update: AgentUpdate, at: string): KeptAgent => ({
  ...agent,
  name: update.name ?? agent.name,
  description: update.description === undefined ? agent.description : update.description,
  variables: variablesAfter(agent.variables, update.variables),
  server_ids: update.server_ids ?? agent.server_ids,
  toolset_ids: update.toolset_ids ?? agent.toolset_ids,
  allow_tool_ids: update.allow_tool_ids ?? agent.allow_tool_ids,
  deny_tool_ids: update.deny_tool_ids ?? agent.deny_tool_ids,
  model: update.model === undefined ? agent.model : update.model,
  updated_at: at,
});
