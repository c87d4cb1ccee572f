import { EXIT, type ExitCode } from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { showToolset } from './show-toolset.js';

export interface ToolsetShowInput {
  readonly toolset: string;
}

export const run = async (context: CommandContext, input: ToolsetShowInput): Promise<ExitCode> => {
  const client = await context.hub();
  await showToolset(context, client, await toolsetClient(client.api).get(input.toolset));
  return EXIT.ok;
};
