import type { Agent, AgentUpdate } from '@plugboard/contract';
import { unmaskAll } from '../server/masked-secret.js';

/** The agent after a change: what is left out stays, and a mask stands for what is stored. */
export const changedAgent = (agent: Agent, update: AgentUpdate, at: string): Agent => ({
  ...agent,
  name: update.name ?? agent.name,
  description: update.description === undefined ? agent.description : update.description,
  variables:
    update.variables === undefined ? agent.variables : unmaskAll(update.variables, agent.variables, 'variables'),
  server_ids: update.server_ids ?? agent.server_ids,
  toolset_ids: update.toolset_ids ?? agent.toolset_ids,
  allow_tool_ids: update.allow_tool_ids ?? agent.allow_tool_ids,
  deny_tool_ids: update.deny_tool_ids ?? agent.deny_tool_ids,
  updated_at: at,
});
