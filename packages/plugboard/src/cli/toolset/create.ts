import { EXIT, type ExitCode } from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { showToolset } from './show-toolset.js';

export interface ToolsetCreateInput {
  readonly name: string;
  readonly description: string | undefined;
  readonly readOnly: boolean;
  readonly provider: string | undefined;
  readonly exposure: 'all' | 'search' | undefined;
}

export const run = async (context: CommandContext, input: ToolsetCreateInput): Promise<ExitCode> => {
  const client = await context.hub();
  const made = await toolsetClient(client.api).create({
    name: input.name,
    read_only: input.readOnly,
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.provider === undefined ? {} : { provider: input.provider }),
    ...(input.exposure === undefined ? {} : { exposure: input.exposure }),
  });
  await showToolset(context, client, made);
  context.out.note(`Add tools to it: plugboard toolset add ${made.name} <server> [tools...]`);
  return EXIT.ok;
};
