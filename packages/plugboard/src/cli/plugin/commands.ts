import type { Command } from 'commander';
import type { ArgumentFlags } from '../input/call-arguments.js';
import { collect, type DefinitionTools } from '../command/define.js';

const actions = () => import('./plugin-actions.js');

/** Plug-ins that the configuration file names. */
export const definePluginCommands = (tools: DefinitionTools): void => {
  const { run } = tools;
  const plugin = tools.define('plugin', 'list and run plug-ins: modules configured in plugboard.json');
  plugin
    .command('list')
    .summary('list plug-ins, their actions and their state')
    .action((_options: unknown, command: Command) => run(command, actions, 'list', undefined));
  plugin
    .command('run')
    .summary('run an action of a plug-in')
    .argument('<plugin>', 'its name')
    .argument('<action>', 'the action, or an alias of it')
    .option('-a, --arg <name=value>', 'a parameter; name:=json for JSON; may be repeated', collect)
    .option('--json-args <json>', 'all parameters as one JSON object; - reads it from standard input')
    .action((name: string, action: string, options: Partial<ArgumentFlags>, command: Command) =>
      run(command, actions, 'run', { arg: [], ...options, plugin: name, action }),
    );
};
