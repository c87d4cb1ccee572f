import type { ToolExecution, ToolResult, ToolRunResult } from '@plugboard/contract';
import { resultText } from './result-text.js';

/** A finished call as the id-keyed route answers it. */
export const runResult = (result: ToolResult): ToolRunResult => ({
  status: result.isError === true ? 'error' : 'success',
  func_return: resultText(result),
  agent_state: null,
  stdout: null,
  stderr: null,
  sandbox_config_fingerprint: null,
  result,
});

/** A finished call as the name-keyed route answers it. */
export const executionResult = (result: ToolResult): ToolExecution => ({
  result: resultText(result),
  success: result.isError !== true,
  tool_result: result,
});
