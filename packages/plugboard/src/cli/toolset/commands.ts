import { type Command, Option } from 'commander';
import { collect, type DefinitionTools } from '../command/define.js';

import type { ToolsetAddInput, ToolsetCreateInput, ToolsetSetInput } from './toolset-actions.js';

const actions = () => import('./toolset-actions.js');

const exposureOption = (): Option =>
  new Option('--exposure <how>', 'list all tools, or only three tools to search, describe and call them').choices([
    'all',
    'search',
  ]);

const defineCreate = (toolset: Command, { run }: DefinitionTools): void => {
  toolset
    .command('create')
    .summary('create a toolset')
    .argument('<name>', 'a short name of your choice; it is part of the URL')
    .option('--description <text>', 'what the toolset is for; clients receive it as instructions')
    .option('--read-only', 'offer only tools annotated as read-only')
    .option('--provider <profile>', 'adapt schemas to this provider, such as openai-strict or gemini')
    .addOption(exposureOption())
    .action((name: string, options: Partial<ToolsetCreateInput>, command: Command) =>
      run(command, actions, 'create', { readOnly: false, ...options, name }),
    );
};

const defineSet = (toolset: Command, { run }: DefinitionTools): void => {
  toolset
    .command('set')
    .summary('change a toolset; everything you do not name stays as it is')
    .argument('<toolset>', 'name or id')
    .option('--name <name>', 'a new name')
    .option('--description <text>', 'what it is for')
    .option('--no-description', 'remove the description')
    .option('--read-only', 'offer only tools annotated as read-only')
    .option('--no-read-only', 'offer every tool')
    .option('--provider <profile>', 'adapt schemas to this provider')
    .option('--no-provider', 'do not adapt schemas')
    .addOption(exposureOption())
    .action((name: string, options: Partial<ToolsetSetInput>, command: Command) =>
      run(command, actions, 'set', { ...options, toolset: name }),
    );
};

/** Which tools of which server, for commands that take them in this order. */
const choiceOf = (
  command: Command,
): { readonly toolset: string; readonly server: string; readonly tools: readonly string[] } => {
  const [toolset, server, tools] = command.processedArgs as [string, string, readonly string[]];
  return { toolset, server, tools };
};

const defineAdd = (toolset: Command, { run }: DefinitionTools): void => {
  toolset
    .command('add')
    .summary('add tools of a server, or change how they are offered')
    .argument('<toolset>', 'name or id')
    .argument('<server>', 'name or id')
    .argument('[tools...]', 'default: all tools of the server')
    .option('--as <name>', 'the name of the tool in this toolset')
    .option('--describe <text>', "a description instead of the server's own")
    .option('--preset <name=value>', 'an argument that is always sent and never shown; name:=json for JSON', collect)
    .option('--hide <name>', 'an optional argument that is neither shown nor sent; may be repeated', collect)
    .action((...given: readonly unknown[]) => {
      const command = given.at(-1) as Command;
      const options = command.opts<Partial<ToolsetAddInput>>();
      return run(command, actions, 'add', { preset: [], hide: [], ...options, ...choiceOf(command) });
    });
};

const defineRest = (toolset: Command, { run }: DefinitionTools): void => {
  toolset
    .command('list')
    .summary('list the toolsets')
    .action((_options: unknown, command: Command) => run(command, actions, 'list', undefined));
  toolset
    .command('show')
    .summary('show what a toolset offers, and why tools are missing')
    .argument('<toolset>', 'name or id')
    .action((name: string, _options: unknown, command: Command) => run(command, actions, 'show', { toolset: name }));
  toolset
    .command('drop')
    .summary('remove tools of a server from a toolset')
    .argument('<toolset>', 'name or id')
    .argument('<server>', 'name or id')
    .argument('[tools...]', 'default: all tools of the server')
    .action((...given: readonly unknown[]) => {
      const command = given.at(-1) as Command;
      return run(command, actions, 'drop', choiceOf(command));
    });
  toolset
    .command('remove')
    .summary('remove toolsets; the tools stay')
    .argument('<toolsets...>', 'names or ids')
    .action((toolsets: readonly string[], _options: unknown, command: Command) =>
      run(command, actions, 'remove', { toolsets }),
    );
};

export const defineToolsetCommands = (tools: DefinitionTools): void => {
  const toolset = tools.define('toolset', 'combine tools of several servers behind one endpoint');
  defineRest(toolset, tools);
  defineCreate(toolset, tools);
  defineSet(toolset, tools);
  defineAdd(toolset, tools);
};
