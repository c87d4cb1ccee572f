import { EXIT, type ExitCode } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import { changedGrants, type GrantFlags, NO_GRANTS } from './agent-grants.js';
import type { CommandContext } from '../command/command-context.js';
import { changedModel, type ModelFlags } from './model-flags.js';
import { showAgent } from './show-agent.js';
import { readVariables } from '../input/variable-flags.js';

export interface AgentCreateInput {
  readonly name: string;
  readonly description: string | undefined;
  readonly grants: GrantFlags;
  readonly variables: readonly string[];
  readonly model: ModelFlags;
}

export const run = async (context: CommandContext, input: AgentCreateInput): Promise<ExitCode> => {
  const variables = await readVariables(input.variables, context.process);
  const client = await context.hub();
  const made = await agentClient(client.api).create({
    name: input.name,
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(await changedGrants(client, NO_GRANTS, input.grants)),
    ...changedModel(undefined, input.model),
  });
  await showAgent(context, client, made);
  context.out.note(`A key for it: plugboard agent key ${made.name}`);
  return EXIT.ok;
};
