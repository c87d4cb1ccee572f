import { type Command, InvalidArgumentError } from 'commander';
import type { DefinitionTools } from '../command/define.js';

const actions = () => import('./health-service-actions.js');

interface AddOptions {
  readonly every?: number;
}

const parseInterval = (text: string): number => {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 5 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('must be a whole number of seconds from 5 to 3600.');
};

/** Services that speak no MCP, and are only asked whether they are well. */
export const defineHealthServiceCommands = (tools: DefinitionTools): void => {
  const { run } = tools;
  const service = tools.define('service', 'monitor services that do not speak MCP');
  service
    .command('add')
    .summary('register a service and poll it once')
    .argument('<name>', 'a short name of your choice')
    .argument('<url>', 'the URL to poll with GET, such as http://127.0.0.1:7072/health')
    .option('--every <seconds>', 'the polling interval; default: 30', parseInterval)
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
