import { role, type Role } from '@plugboard/contract';
import { type Command, Option } from 'commander';
import { collect, type DefinitionTools, lazily } from './define.js';
import { parseDays } from './parse-days.js';

interface CreateOptions {
  readonly role: Role;
  readonly agent?: string;
  readonly server?: readonly string[];
  readonly days?: number;
}

const defineCreate = (key: Command, { perform }: DefinitionTools): void => {
  key
    .command('create')
    .summary('make a key; it is shown once')
    .argument('<name>', 'what you call it')
    .addOption(new Option('--role <role>', 'what its holder may do').choices(role.options).default('agent'))
    .option('--agent <id>', 'the id of the agent that it belongs to')
    .option(
      '--server <server>',
      'a server that its holder may use, by name or id; may be repeated; all when left out',
      collect,
    )
    .option('--days <days>', 'how long it is valid; for ever when left out', parseDays)
    .action((name: string, options: CreateOptions, command: Command) =>
      lazily(perform, command, () => import('../command/key-create.js'), {
        name,
        role: options.role,
        agent: options.agent,
        servers: options.server ?? [],
        days: options.days,
      }),
    );
};

export const defineKeyCommands = (tools: DefinitionTools): void => {
  const { perform } = tools;
  const key = tools.define('key', 'keys to the hub, and the master key of its secrets');
  defineCreate(key, tools);
  key
    .command('list')
    .summary('list keys, without the keys themselves')
    .action((_options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/key-list.js'), undefined),
    );
  key
    .command('local')
    .summary('print the key of the running hub, for scripts of its owner')
    .action((_options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/key-local.js'), undefined),
    );
  key
    .command('revoke')
    .summary('take a key back')
    .argument('<key>', 'its id, what it begins with, or its name')
    .action((key: string, _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/key-revoke.js'), { key }),
    );
  key
    .command('purge')
    .summary('delete revoked and expired keys; without any, clients on this machine need no key again')
    .action((_options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/key-purge.js'), undefined),
    );
  key
    .command('rotate-master')
    .summary('seal every secret with a new master key')
    .action((_options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/key-rotate-master.js'), undefined),
    );
  for (const command of key.commands) command.description(command.summary());
};
