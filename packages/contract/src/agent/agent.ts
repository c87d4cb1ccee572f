import { z } from 'zod';
import { agentId, serverId, toolId, toolsetId } from '../field/identifier.js';
import { agentModel } from './agent-model.js';
import { changeCondition } from '../field/change-condition.js';
import { entryName, timestamp } from '../field/text.js';

/** Names in templates: `{{ API_KEY }}`. */
export const variableName = z
  .string()
  .max(128)
  .regex(/^[A-Z_][A-Z0-9_]*$/u);

/** A caller of tools, with its own variables and only the tools it was given. */
export const agent = z.object({
  id: agentId,
  name: entryName,
  description: z.string().max(4096).nullable(),
  variables: z.record(variableName, z.string()).describe('secret; masked when read'),
  server_ids: z.array(serverId),
  toolset_ids: z.array(toolsetId),
  allow_tool_ids: z.array(toolId),
  deny_tool_ids: z.array(toolId),
  model: agentModel.nullish().describe('the model that answers for the agent'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Agent = z.infer<typeof agent>;

const settable = agent.omit({ id: true, created_at: true, updated_at: true });

export const agentCreate = settable.partial().required({ name: true }).strict();
export type AgentCreate = z.infer<typeof agentCreate>;

export const agentUpdate = settable.partial().extend(changeCondition).strict();
export type AgentUpdate = z.infer<typeof agentUpdate>;
