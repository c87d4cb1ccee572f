import { EXIT, type ExitCode } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { showAgent } from './show-agent.js';

export interface AgentShowInput {
  readonly agent: string;
}

export const run = async (context: CommandContext, { agent }: AgentShowInput): Promise<ExitCode> => {
  const client = await context.hub();
  await showAgent(context, client, await agentClient(client.api).get(agent));
  return EXIT.ok;
};
