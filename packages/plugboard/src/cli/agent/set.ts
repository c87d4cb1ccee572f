import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/agent-client.js';
import { changedGrants, type GrantFlags } from './agent-grants.js';
import type { CommandContext } from '../command/command-context.js';
import { showAgent } from './show-agent.js';

export interface AgentSetInput {
  readonly agent: string;
  readonly name: string | undefined;
  /** False: remove it. */
  readonly description: string | false | undefined;
  readonly grants: GrantFlags;
}

export const run = async (context: CommandContext, input: AgentSetInput): Promise<ExitCode> => {
  const { name, description } = input;
  const client = await context.hub();
  const agents = agentClient(client.api);
  const before = await agents.get(input.agent);
  const update = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description === false ? null : description }),
    ...(await changedGrants(client, before, input.grants)),
  };
  if (Object.keys(update).length === 0) {
    throw new PlugboardError('INVALID_ARGUMENT', 'Nothing was named that is to change.', {
      hint: 'See `plugboard agent set --help` for what can be changed.',
    });
  }
  await showAgent(context, client, await agents.update(before.id, update));
  return EXIT.ok;
};
