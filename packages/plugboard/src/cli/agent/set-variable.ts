import { EXIT, type ExitCode } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { secretValue } from '../input/secret-value.js';
import { showAgent } from './show-agent.js';
import { assertVariableName } from '../input/variable-flags.js';

export interface AgentSetVariableInput {
  readonly agent: string;
  readonly name: string;
  readonly fromEnv: string | undefined;
}

export const run = async (context: CommandContext, input: AgentSetVariableInput): Promise<ExitCode> => {
  assertVariableName(input.name);
  const client = await context.hub();
  const agents = agentClient(client.api);
  const { id, variables } = await agents.get(input.agent);
  const value = await secretValue({ of: input.name, fromEnv: input.fromEnv }, context.process);
  // The others come back masked, and the hub keeps what it gets back unchanged.
  await showAgent(context, client, await agents.update(id, { variables: { ...variables, [input.name]: value } }));
  return EXIT.ok;
};
