import { type Command, Option } from 'commander';
import type { ServeInput } from './serve.js';
import type { StdioInput } from './stdio.js';
import { LOG_FORMATS, LOG_LEVELS } from '../../settings/log-level.js';
import type { DefinitionTools } from '../command/define.js';
import { parsePort } from '../command/parse-number.js';

const logLevel = (): Option =>
  new Option('--log-level <level>', 'the level of the log on stderr (PLUGBOARD_LOG_LEVEL; default info)').choices(
    LOG_LEVELS,
  );

const logFormat = (): Option =>
  new Option('--log-format <format>', 'the format of the log (PLUGBOARD_LOG_FORMAT; default auto)').choices(
    LOG_FORMATS,
  );

const defineServe = ({ define, run }: DefinitionTools): void => {
  define('serve', 'run the hub')
    .option('--host <address>', 'the address to listen on (PLUGBOARD_HOST; default 127.0.0.1)')
    .option('--port <port>', 'the port, 0 for any free one (PLUGBOARD_PORT; default 2091)', parsePort)
    .option('--demo', 'register the bundled servers and a sample if no server is registered')
    .option('--prune', 'remove servers that were deleted from mcpServers in the configuration file')
    .option('--workers <count>', 'run several processes on one port; auto: one for each core (default 1)')
    .option('--insecure', 'listen beyond this machine without access control: anyone can use every tool')
    .addOption(logLevel())
    .addOption(logFormat())
    .action((_options: unknown, command: Command) =>
      run(command, () => import('./serve.js'), 'run', command.optsWithGlobals<ServeInput>()),
    );
};

const defineStdio = ({ define, run }: DefinitionTools): void => {
  define('stdio', 'run as an MCP server over standard input and output, for desktop clients')
    .argument('[server]', 'only this server, with its own tool names; default: all servers')
    .option('--toolset <toolset>', 'only this toolset')
    .addOption(logLevel())
    .addOption(logFormat())
    .action((server: string | undefined, _options: unknown, command: Command) =>
      run(command, () => import('./stdio.js'), 'run', { ...command.optsWithGlobals<StdioInput>(), server }),
    );
};

const defineBackup = ({ define, run }: DefinitionTools): void => {
  define('backup', 'write everything in the store to one file')
    .argument('<file>', 'the file to create; it must not exist')
    .option('--with-master-key', 'also write the master key, to <file>.key')
    .addHelpText(
      'after',
      `
The hub may be running: the backup holds the store, SQLite or Postgres, as it is at one moment. It is verified by count
and content, and appears when it is complete. Secrets in it are encrypted; they cannot be read without the master key.`,
    )
    .action((file: string, options: { withMasterKey?: boolean }, command: Command) =>
      run(command, () => import('./store-actions.js'), 'backup', { withMasterKey: false, ...options, file }),
    );
};

const defineRestore = ({ define, run }: DefinitionTools): void => {
  define('restore', 'fill an empty store from a backup')
    .argument('<file>', 'a file that backup wrote')
    .addHelpText(
      'after',
      `
The target is the store of this home, or PLUGBOARD_DATABASE_URL; it must be empty. A backup of one kind of store can be
restored to the other. The master key is that of the home or the environment, else <file>.key. After an interruption, run
the same command again: it continues.`,
    )
    .action((file: string, _options: unknown, command: Command) =>
      run(command, () => import('./store-actions.js'), 'restore', { file }),
    );
};

export const defineHubCommands = (tools: DefinitionTools): void => {
  const { define, run } = tools;
  defineServe(tools);
  defineStdio(tools);
  define('migrate', 'move the embedded store to a Postgres database')
    .requiredOption('--to <url>', 'an empty database: postgres://user:password@host/database; - reads standard input')
    .addHelpText(
      'after',
      `
Everything is moved and verified by count and content: servers, tools, agents, keys, toolsets, logins, audit, logs,
sessions. After an interruption, run the same command again: it continues. No hub opens a store that is incomplete.
Secrets stay encrypted: the hub on the new store needs the same master key. Stop the hub first.`,
    )
    .action(({ to }: { to: string }, command: Command) =>
      run(command, () => import('./store-actions.js'), 'migrate', { to }),
    );
  defineBackup(tools);
  defineRestore(tools);
  define('version', 'print the versions of Plugboard and its environment').action(
    (_options: unknown, command: Command) => run(command, () => import('./version.js'), 'run', undefined),
  );
};
