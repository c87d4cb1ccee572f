import { definedMembers } from '@plugboard/base';
import {
  EXIT,
  type ExitCode,
  type ToolsetView,
  PlugboardError,
  type ToolsetUpdate,
  type ToolsetEntry,
  type ToolView,
} from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import { offeredWords, tokenWords } from './show-toolset.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import type { Style } from '../../terminal/style.js';
import type { Column } from '../../terminal/table.js';
import { showList } from '../render/show-list.js';
import type { CommandContext } from '../command/command-context.js';
import { showToolset } from './show-toolset.js';
import { findTool } from '../../hub-api/client/find-tool.js';
import { typedArguments } from '../input/typed-argument.js';
import { invalidArgument } from '../command/invalid-argument.js';

const columns = (style: Style): readonly Column<ToolsetView>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'TOOLS', text: offeredWords },
  { title: 'EXPOSURE', text: ({ exposure }) => exposure },
  { title: 'PROVIDER', text: ({ provider }) => provider ?? '', shrinkTo: 8 },
  { title: 'TOKENS', text: (toolset) => tokenWords(toolset) ?? '', shrinkTo: 10 },
  { title: 'ENDPOINT', text: ({ mcp_path }) => mcp_path, paint: style.dim, shrinkTo: 12 },
];

export const list = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  return showList(out, await toolsetClient((await hub()).api).list(), {
    columns,
    name: ({ name }) => name,
    none: 'No toolsets exist yet. Create one: plugboard toolset create <name>',
  });
};

export const show = async (context: CommandContext, input: { readonly toolset: string }): Promise<ExitCode> => {
  const client = await context.hub();
  await showToolset(context, client, await toolsetClient(client.api).get(input.toolset));
  return EXIT.ok;
};

export interface ToolsetCreateInput {
  readonly name: string;
  readonly description?: string | undefined;
  readonly readOnly: boolean;
  readonly provider?: string | undefined;
  readonly exposure?: 'all' | 'search' | undefined;
}

export const create = async (context: CommandContext, input: ToolsetCreateInput): Promise<ExitCode> => {
  const client = await context.hub();
  const made = await toolsetClient(client.api).create({
    name: input.name,
    read_only: input.readOnly,
    ...definedMembers({ description: input.description, provider: input.provider, exposure: input.exposure }),
  });
  await showToolset(context, client, made);
  context.out.note(`Add tools to it: plugboard toolset add ${shellQuote([made.name])} <server> [tools...]`);
  return EXIT.ok;
};

export interface ToolsetSetInput {
  readonly toolset: string;
  readonly name?: string | undefined;
  /** False: remove it. */
  readonly description?: string | false | undefined;
  readonly readOnly?: boolean | undefined;
  /** False: bound to none. */
  readonly provider?: string | false | undefined;
  readonly exposure?: 'all' | 'search' | undefined;
}

const updateOf = ({ name, description, readOnly, provider, exposure }: ToolsetSetInput): ToolsetUpdate =>
  definedMembers({
    name,
    description: description === false ? null : description,
    read_only: readOnly,
    provider: provider === false ? null : provider,
    exposure,
  });

export const set = async (context: CommandContext, input: ToolsetSetInput): Promise<ExitCode> => {
  const update = updateOf(input);
  if (Object.keys(update).length === 0) {
    throw invalidArgument('No change was given.', 'See `plugboard toolset set --help` for what can be changed.');
  }
  const client = await context.hub();
  const toolsets = toolsetClient(client.api);
  const { id } = await toolsets.get(input.toolset);
  await showToolset(context, client, await toolsets.update(id, update));
  return EXIT.ok;
};

export interface ToolsetAddInput {
  readonly toolset: string;
  readonly server: string;
  /** All tools of the server when empty. */
  readonly tools: readonly string[];
  readonly as?: string | undefined;
  readonly describe?: string | undefined;
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

export const add = async (context: CommandContext, input: ToolsetAddInput): Promise<ExitCode> => {
  if (input.tools.length !== 1 && !isPlain(input)) {
    throw invalidArgument(
      '--as, --describe, --preset and --hide are about one tool.',
      'Add that tool alone: plugboard toolset add <toolset> <server> <tool> --as <name>',
    );
  }
  const client = await context.hub();
  const toolsets = toolsetClient(client.api);
  const { id } = await toolsets.get(input.toolset);
  const server = await client.server(input.server);
  const known = await client.tools(server.id);
  const chosen =
    input.tools.length === 0 ? known : input.tools.map((name) => findTool(server.server_name, known, name));
  const named = chosen.map((tool) => entryOf(tool, input));
  const changed = await toolsets.change(id, ({ entries }) => {
    const added = new Map(named.map((entry) => [keyOf(entry), entry]));
    // a tool that is in the toolset already keeps its place, and how it is offered unless it was named
    const kept = entries.map((entry) => {
      const replacement = input.tools.length === 0 ? undefined : added.get(keyOf(entry));
      added.delete(keyOf(entry));
      return replacement ?? entry;
    });
    return { entries: [...kept, ...added.values()] };
  });
  await showToolset(context, client, changed);
  return EXIT.ok;
};

export interface ToolsetDropInput {
  readonly toolset: string;
  readonly server: string;
  /** All tools of the server when empty. */
  readonly tools: readonly string[];
}

export const drop = async (context: CommandContext, input: ToolsetDropInput): Promise<ExitCode> => {
  const client = await context.hub();
  // an entry may be about a server that is gone, so an id will do
  const known = (await client.servers()).find(
    ({ server_name, id }) => input.server === server_name || input.server === id,
  );
  const serverId = known?.id ?? input.server;
  const goes = (entry: ToolsetEntry): boolean =>
    entry.server_id === serverId &&
    (input.tools.length === 0 || input.tools.includes(entry.upstream_name) || input.tools.includes(entry.name ?? ''));
  const changed = await toolsetClient(client.api).change(input.toolset, ({ name, entries }) => {
    if (entries.some(goes)) return { entries: entries.filter((entry) => !goes(entry)) };
    throw new PlugboardError('TOOL_NOT_FOUND', `The toolset "${name}" has no such tools of "${input.server}".`, {
      hint: `List its tools: plugboard toolset show ${name}`,
    });
  });
  await showToolset(context, client, changed);
  return EXIT.ok;
};

export const remove = async (
  { out, hub }: CommandContext,
  input: { readonly toolsets: readonly string[] },
): Promise<ExitCode> => {
  const client = toolsetClient((await hub()).api);
  // All are looked up before the first goes, so that a typing error removes nothing.
  const found = [];
  for (const name of input.toolsets) found.push(await client.get(name));
  for (const { id, name } of found) {
    await client.remove(id);
    if (!out.quiet) out.text(`Removed the toolset ${out.style.bold(name)}; its tools stay where they are.`);
  }
  out.data({ removed: found.map(({ id, name }) => ({ id, name })) });
  return EXIT.ok;
};
