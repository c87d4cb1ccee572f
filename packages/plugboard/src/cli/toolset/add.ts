import { EXIT, type ExitCode, PlugboardError, type ToolsetEntry, type ToolView } from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';
import { findTool } from '../../hub-api/client/find-tool.js';
import { showToolset } from './show-toolset.js';
import { typedArguments } from '../input/typed-argument.js';

export interface ToolsetAddInput {
  readonly toolset: string;
  readonly server: string;
  /** All tools of the server when empty. */
  readonly tools: readonly string[];
  readonly as: string | undefined;
  readonly describe: string | undefined;
  readonly preset: readonly string[];
  readonly hide: readonly string[];
}

const isPlain = ({ as, describe, preset, hide }: ToolsetAddInput): boolean =>
  as === undefined && describe === undefined && preset.length === 0 && hide.length === 0;

const entryOf = (tool: ToolView, { as, describe, preset, hide }: ToolsetAddInput): ToolsetEntry => ({
  server_id: tool.server_id,
  upstream_name: tool.upstream_name,
  ...(as === undefined ? {} : { name: as }),
  ...(describe === undefined ? {} : { description: describe }),
  ...(preset.length === 0 ? {} : { preset_arguments: { ...typedArguments(preset, tool.input_schema) } }),
  ...(hide.length === 0 ? {} : { hidden_arguments: [...hide] }),
});

const keyOf = ({ server_id, upstream_name }: ToolsetEntry): string => `${server_id} ${upstream_name}`;

export const run = async (context: CommandContext, input: ToolsetAddInput): Promise<ExitCode> => {
  if (input.tools.length !== 1 && !isPlain(input)) {
    throw new PlugboardError('INVALID_ARGUMENT', '--as, --describe, --preset and --hide are about one tool.', {
      hint: 'Add that tool alone: plugboard toolset add <toolset> <server> <tool> --as <name>',
    });
  }
  const client = await context.hub();
  const toolsets = toolsetClient(client.api);
  const toolset = await toolsets.get(input.toolset);
  const server = await client.server(input.server);
  const known = await client.tools(server.id);
  const chosen =
    input.tools.length === 0 ? known : input.tools.map((name) => findTool(server.server_name, known, name));
  const added = new Map(chosen.map((tool) => entryOf(tool, input)).map((entry) => [keyOf(entry), entry]));
  // a tool that is in the toolset already keeps its place, and how it is offered unless it was named
  const entries = toolset.entries.map((entry) => {
    const replacement = input.tools.length === 0 ? undefined : added.get(keyOf(entry));
    added.delete(keyOf(entry));
    return replacement ?? entry;
  });
  await showToolset(context, client, await toolsets.update(toolset.id, { entries: [...entries, ...added.values()] }));
  return EXIT.ok;
};
