import type { Command } from 'commander';
import type { ArgumentFlags } from '../command/call-arguments.js';
import { collect, type DefinitionTools, lazily } from './define.js';

/** Plug-ins that the configuration file names. */
export const definePluginCommands = (tools: DefinitionTools): void => {
  const { perform } = tools;
  const plugin = tools.define('plugin', 'plug-ins of the hub: modules that plugboard.json names');
  plugin
    .command('list')
    .summary('list plug-ins, their actions, and whether they work')
    .action((_options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/plugin-list.js'), undefined),
    );
  plugin
    .command('run')
    .summary('run an action of a plug-in')
    .argument('<plugin>', 'its name')
    .argument('<action>', 'the action, or another name of it')
    .option('-a, --arg <name=value>', 'a parameter; name:=json for JSON; may be repeated', collect)
    .option('--json-args <json>', 'all parameters as one JSON object; - reads it from standard input')
    .action((name: string, action: string, options: Partial<ArgumentFlags>, command: Command) =>
      lazily(perform, command, () => import('../command/plugin-run.js'), {
        plugin: name,
        action,
        arg: options.arg ?? [],
        jsonArgs: options.jsonArgs,
      }),
    );
  for (const command of plugin.commands) command.description(command.summary());
};
