import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { showAgent } from './show-agent.js';

export interface AgentUnsetVariableInput {
  readonly agent: string;
  readonly names: readonly string[];
}

export const run = async (context: CommandContext, { agent, names }: AgentUnsetVariableInput): Promise<ExitCode> => {
  const client = await context.hub();
  const agents = agentClient(client.api);
  const { id, name, variables } = await agents.get(agent);
  const unknown = names.filter((each) => !Object.hasOwn(variables, each));
  if (unknown.length > 0) {
    throw new PlugboardError('NOT_FOUND', `${name} has no variable ${unknown.join(', ')}.`, {
      hint: `It has ${Object.keys(variables).join(', ') || 'none'}.`,
    });
  }
  const kept = Object.fromEntries(Object.entries(variables).filter(([each]) => !names.includes(each)));
  await showAgent(context, client, await agents.update(id, { variables: kept }));
  return EXIT.ok;
};
