import { role, type Role } from '@plugboard/contract';
import { type Command, Option } from 'commander';
import { collect, type DefinitionTools } from '../command/define.js';
import { parseExpiry } from '../command/parse-expiry.js';

const actions = () => import('./key-actions.js');

interface CreateOptions {
  readonly role: Role;
  readonly agent?: string;
  readonly server?: readonly string[];
  readonly days?: string;
}

const defineCreate = (key: Command, { run }: DefinitionTools): void => {
  key
    .command('create')
    .summary('create a key; it is shown once')
    .argument('<name>', 'a name for the key')
    .addOption(new Option('--role <role>', 'what the key may do').choices(role.options).default('agent'))
    .option('--agent <id>', 'the id of the agent that owns the key')
    .option('--server <server>', 'a server that the key may use (name or id); may be repeated; default: all', collect)
    .option('--days <days>', 'days until the key expires; default: never', parseExpiry)
    .action((name: string, options: CreateOptions, command: Command) =>
      run(command, actions, 'create', { ...options, name, servers: options.server ?? [], expiresAt: options.days }),
    );
};

export const defineKeyCommands = (tools: DefinitionTools): void => {
  const { run } = tools;
  const key = tools.define('key', 'manage keys for the hub, and its master key');
  defineCreate(key, tools);
  key
    .command('list')
    .summary('list keys, without the keys themselves')
    .action((_options: unknown, command: Command) => run(command, actions, 'list', undefined));
  key
    .command('local')
    .summary('print the key of the running hub, for scripts of its owner')
    .action((_options: unknown, command: Command) => run(command, actions, 'local', undefined));
  key
    .command('revoke')
    .summary('revoke a key')
    .argument('<key>', 'the id, the first characters or the name of the key')
    .action((key: string, _options: unknown, command: Command) => run(command, actions, 'revoke', { key }));
  key
    .command('purge')
    .summary('delete revoked and expired keys; with no keys left, clients on this machine need none')
    .action((_options: unknown, command: Command) => run(command, actions, 'purge', undefined));
  key
    .command('rotate-master')
    .summary('encrypt every secret with a new master key')
    .action((_options: unknown, command: Command) => run(command, actions, 'rotateMaster', undefined));
};
