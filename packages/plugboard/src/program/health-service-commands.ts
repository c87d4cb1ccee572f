import { type Command, InvalidArgumentError } from 'commander';
import { type DefinitionTools, lazily } from './define.js';

interface AddOptions {
  readonly every?: number;
}

const parseInterval = (text: string): number => {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 5 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('must be a whole number of seconds from 5 to 3600.');
};

/** Services that speak no MCP, and are only asked whether they are well. */
export const defineServiceCommands = (tools: DefinitionTools): void => {
  const { perform } = tools;
  const service = tools.define('service', 'health-only services: what you depend on that speaks no MCP');
  service
    .command('add')
    .summary('register a service and ask it once')
    .argument('<name>', 'a short name of your choice')
    .argument('<url>', 'what is asked with GET, such as http://127.0.0.1:7072/health')
    .option('--every <seconds>', 'how often it is asked; every 30 seconds when left out', parseInterval)
    .action((name: string, url: string, options: AddOptions, command: Command) =>
      lazily(perform, command, () => import('../command/health-service-add.js'), { name, url, every: options.every }),
    );
  service
    .command('list')
    .summary('list services and how they are')
    .action((_options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/health-service-list.js'), undefined),
    );
  service
    .command('remove')
    .summary('forget a service')
    .argument('<name>', 'its name')
    .action((name: string, _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/health-service-remove.js'), { name }),
    );
  for (const command of service.commands) command.description(command.summary());
};
