import { type Command } from 'commander';
import type { DefinitionTools } from '../command/define.js';
import { wholeNumber } from '../command/parse-number.js';

const actions = () => import('./health-service-actions.js');

interface AddOptions {
  readonly every?: number;
}

/** Services that speak no MCP, and are only asked whether they are well. */
export const defineHealthServiceCommands = (tools: DefinitionTools): void => {
  const { run } = tools;
  const service = tools.define('service', 'monitor services that do not speak MCP');
  service
    .command('add')
    .summary('register a service and poll it once')
    .argument('<name>', 'a short name of your choice')
    .argument('<url>', 'the URL to poll with GET, such as http://127.0.0.1:7072/health')
    .option('--every <seconds>', 'the polling interval; default: 30', wholeNumber(5, 3600))
    .action((name: string, url: string, options: AddOptions, command: Command) =>
      run(command, actions, 'add', { name, url, every: options.every }),
    );
  service
    .command('list')
    .summary('list services and their health')
    .action((_options: unknown, command: Command) => run(command, actions, 'list', undefined));
  service
    .command('remove')
    .summary('remove a service')
    .argument('<name>', 'its name')
    .action((name: string, _options: unknown, command: Command) => run(command, actions, 'remove', { name }));
};
