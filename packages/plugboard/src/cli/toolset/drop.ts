import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { showToolset } from './show-toolset.js';

export interface ToolsetDropInput {
  readonly toolset: string;
  readonly server: string;
  /** All tools of the server when empty. */
  readonly tools: readonly string[];
}

export const run = async (context: CommandContext, input: ToolsetDropInput): Promise<ExitCode> => {
  const client = await context.hub();
  const toolsets = toolsetClient(client.api);
  const toolset = await toolsets.get(input.toolset);
  // an entry may be about a server that is gone, so an id will do
  const known = (await client.servers()).find(
    ({ server_name, id }) => input.server === server_name || input.server === id,
  );
  const serverId = known?.id ?? input.server;
  const goes = toolset.entries.filter(
    (entry) =>
      entry.server_id === serverId &&
      (input.tools.length === 0 || input.tools.includes(entry.upstream_name) || input.tools.includes(entry.name ?? '')),
  );
  if (goes.length === 0) {
    throw new PlugboardError(
      'TOOL_NOT_FOUND',
      `The toolset "${toolset.name}" has no such tools of "${input.server}".`,
      {
        hint: `List its tools: plugboard toolset show ${toolset.name}`,
      },
    );
  }
  const entries = toolset.entries.filter((entry) => !goes.includes(entry));
  await showToolset(context, client, await toolsets.update(toolset.id, { entries }));
  return EXIT.ok;
};
