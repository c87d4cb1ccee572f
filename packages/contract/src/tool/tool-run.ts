import { z } from 'zod';
import { toolResult } from './tool-definition.js';

const argumentsObject = z.record(z.string(), z.unknown());

export const toolRunRequest = z.strictObject({ args: argumentsObject.optional() });
export type ToolRunRequest = z.infer<typeof toolRunRequest>;

/** What `…/tools/{id}/run` answers: Letta's members, and the whole MCP result beside them. */
export const toolRunResult = z.object({
  status: z.enum(['success', 'error']),
  func_return: z.string().describe('the text of the result; the error text when status is error'),
  agent_state: z.null(),
  stdout: z.null(),
  stderr: z.null(),
  sandbox_config_fingerprint: z.null(),
  result: toolResult,
});
export type ToolRunResult = z.infer<typeof toolRunResult>;

/** What the name-keyed `…/execute` answers: the text, whether it went well, and the whole MCP result beside them. */
export const toolExecution = z.object({ result: z.string(), success: z.boolean(), tool_result: toolResult });
export type ToolExecution = z.infer<typeof toolExecution>;
