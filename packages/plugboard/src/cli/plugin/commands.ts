import type { Command } from 'commander';
import type { ArgumentFlags } from '../input/call-arguments.js';
import { collect, type DefinitionTools, lazily } from '../command/define.js';

/** Plug-ins that the configuration file names. */
export const definePluginCommands = (tools: DefinitionTools): void => {
  const { perform } = tools;
  const plugin = tools.define('plugin', 'list and run plug-ins: modules configured in plugboard.json');
  plugin
    .command('list')
    .summary('list plug-ins, their actions and their state')
    .action((_options: unknown, command: Command) => lazily(perform, command, () => import('./list.js'), undefined));
  plugin
    .command('run')
    .summary('run an action of a plug-in')
    .argument('<plugin>', 'its name')
    .argument('<action>', 'the action, or an alias of it')
    .option('-a, --arg <name=value>', 'a parameter; name:=json for JSON; may be repeated', collect)
    .option('--json-args <json>', 'all parameters as one JSON object; - reads it from standard input')
    .action((name: string, action: string, options: Partial<ArgumentFlags>, command: Command) =>
      lazily(perform, command, () => import('./run.js'), {
        plugin: name,
        action,
        arg: options.arg ?? [],
        jsonArgs: options.jsonArgs,
      }),
    );
  for (const command of plugin.commands) command.description(command.summary());
};
