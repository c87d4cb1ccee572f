import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import { changedGrants, type GrantFlags } from './agent-grants.js';
import type { CommandContext } from '../command/command-context.js';
import { changedModel, type ModelFlags } from './model-flags.js';
import { showAgent } from './show-agent.js';

export interface AgentSetInput {
  readonly agent: string;
  readonly name: string | undefined;
  /** False: remove it. */
  readonly description: string | false | undefined;
  readonly grants: GrantFlags;
  readonly model: ModelFlags;
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
    ...changedModel(before.model, input.model),
  };
  if (Object.keys(update).length === 0) {
    throw new PlugboardError('INVALID_ARGUMENT', 'No change was given.', {
      hint: 'See `plugboard agent set --help` for what can be changed.',
    });
  }
  await showAgent(context, client, await agents.update(before.id, update));
  return EXIT.ok;
};
