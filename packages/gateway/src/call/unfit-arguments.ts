import { PlugboardError } from '@plugboard/contract';
import type { Problem } from '@plugboard/schema';
import type { JsonObject } from '@plugboard/wire';
import type { McpCall } from './mcp-call.js';
import { localResult } from './local-result.js';

/** What a model sent does not fit the tool. The server was not asked. */
export class UnfitArguments extends PlugboardError {
  override readonly name = 'UnfitArguments';

  constructor(tool: string, problems: readonly Problem[]) {
    const lines = problems.map(({ pointer, message }) => `- ${pointer === '' ? 'arguments' : pointer}: ${message}`);
    super('INVALID_ARGUMENT', `The arguments do not fit the tool "${tool}":\n${lines.join('\n')}`, {
      hint: 'Correct the arguments and call the tool again; nothing was executed.',
      details: { problems: problems.map(({ pointer, message }) => ({ pointer, message })) },
    });
  }
}

/** A model can repair its arguments when it reads what is wrong, so it gets a result and not a failure of the protocol. */
export const unfitResult = (call: McpCall, { message, hint }: UnfitArguments): JsonObject =>
  localResult(call, `${message}\n${hint ?? ''}`, { isError: true });
