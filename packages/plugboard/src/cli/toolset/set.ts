import { EXIT, type ExitCode, PlugboardError, type ToolsetUpdate } from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { showToolset } from './show-toolset.js';

export interface ToolsetSetInput {
  readonly toolset: string;
  readonly name: string | undefined;
  /** False: remove it. */
  readonly description: string | false | undefined;
  readonly readOnly: boolean | undefined;
  /** False: bound to none. */
  readonly provider: string | false | undefined;
  readonly exposure: 'all' | 'search' | undefined;
}

const updateOf = ({ name, description, readOnly, provider, exposure }: ToolsetSetInput): ToolsetUpdate => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description: description === false ? null : description }),
  ...(readOnly === undefined ? {} : { read_only: readOnly }),
  ...(provider === undefined ? {} : { provider: provider === false ? null : provider }),
  ...(exposure === undefined ? {} : { exposure }),
});

export const run = async (context: CommandContext, input: ToolsetSetInput): Promise<ExitCode> => {
  const update = updateOf(input);
  if (Object.keys(update).length === 0) {
    throw new PlugboardError('INVALID_ARGUMENT', 'No change was given.', {
      hint: 'See `plugboard toolset set --help` for what can be changed.',
    });
  }
  const client = await context.hub();
  const toolsets = toolsetClient(client.api);
  const { id } = await toolsets.get(input.toolset);
  await showToolset(context, client, await toolsets.update(id, update));
  return EXIT.ok;
};
