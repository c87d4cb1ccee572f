import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { SHELLS, type Shell } from '../completion/shell.js';
import type { SharedOptions } from './shared-options.js';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../settings/log-level.js';
import { type DefinitionTools, lazily } from './define.js';

const parsePort = (text: string): number => {
  const port = Number(text);
  if (/^\d+$/u.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
};

interface LogOptions {
  readonly logLevel?: LogLevel;
  readonly logFormat?: LogFormat;
}

const logLevel = (): Option =>
  new Option('--log-level <level>', 'what the log on stderr shows (PLUGBOARD_LOG_LEVEL; default info)').choices(
    LOG_LEVELS,
  );

const logFormat = (): Option =>
  new Option('--log-format <format>', 'how it is written (PLUGBOARD_LOG_FORMAT; default auto)').choices(LOG_FORMATS);

interface ServeOptions extends SharedOptions, LogOptions {
  readonly host?: string;
  readonly port?: number;
  readonly demo?: boolean;
  readonly prune?: boolean;
  readonly insecure?: boolean;
}

const defineServe = ({ define, perform }: DefinitionTools): void => {
  define('serve', 'run the hub')
    .option('--host <address>', 'the address to listen on (PLUGBOARD_HOST; default 127.0.0.1)')
    .option('--port <port>', 'the port, 0 for any free one (PLUGBOARD_PORT; default 2091)', parsePort)
    .option('--demo', 'register the bundled servers and a sample if there is no server at all')
    .option('--prune', 'remove servers that have left mcpServers of the configuration file')
    .option('--insecure', 'listen beyond this machine although anyone may then use every tool')
    .addOption(logLevel())
    .addOption(logFormat())
    .action((options: ServeOptions, command: Command) =>
      lazily(perform, command, () => import('../command/serve.js'), {
        host: options.host,
        port: options.port,
        demo: options.demo,
        prune: options.prune,
        insecure: options.insecure,
        logLevel: options.logLevel,
        logFormat: options.logFormat,
        ...homeAndConfig(command),
      }),
    );
};

const defineStdio = ({ define, perform }: DefinitionTools): void => {
  define('stdio', 'be an MCP server on standard input and output, for desktop clients')
    .argument('[server]', 'only this server, under its own names; all servers when left out')
    .option('--toolset <toolset>', 'only this toolset')
    .addOption(logLevel())
    .addOption(logFormat())
    .action((server: string | undefined, options: LogOptions & { toolset?: string }, command: Command) =>
      lazily(perform, command, () => import('../command/stdio.js'), {
        server,
        toolset: options.toolset,
        logLevel: options.logLevel,
        logFormat: options.logFormat,
        ...homeAndConfig(command),
      }),
    );
};

const homeAndConfig = (command: Command): Pick<SharedOptions, 'home' | 'config'> => {
  const { home, config } = command.optsWithGlobals<SharedOptions>();
  return { ...(home === undefined ? {} : { home }), ...(config === undefined ? {} : { config }) };
};

export const defineHubCommands = (tools: DefinitionTools): void => {
  const { define, perform } = tools;
  defineServe(tools);
  defineStdio(tools);
  define('doctor', 'diagnose the installation and every server, and suggest fixes')
    .option('--offline', 'do not connect to the servers')
    .action((options: { offline?: boolean }, command: Command) =>
      lazily(perform, command, () => import('../command/doctor.js'), { offline: options.offline ?? false }),
    );
  define('migrate', 'move the embedded store into a Postgres database')
    .requiredOption('--to <url>', 'an empty database: postgres://user:password@host/database; - reads standard input')
    .addHelpText(
      'after',
      `
Everything is moved in one transaction and compared: servers, tools, agents, keys, toolsets, logins, audit, logs.
Secrets stay sealed: the hub on the new store needs the same master key. Stop the hub before.`,
    )
    .action(({ to }: { to: string }, command: Command) =>
      lazily(perform, command, () => import('../command/migrate.js'), { to }),
    );
  define('completion', 'print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
bash:  plugboard completion bash > ~/.local/share/bash-completion/completions/plugboard
zsh:   plugboard completion zsh > "\${fpath[1]}/_plugboard"
fish:  plugboard completion fish > ~/.config/fish/completions/plugboard.fish`,
    )
    .action((shell: Shell, _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/completion.js'), { shell }),
    );
  define('complete', 'answer the completion script', { hidden: true })
    .argument('[words...]', 'what was typed so far')
    .action((words: readonly string[], _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/complete.js'), { words }),
    );
  define('manual', 'print the manual of the command line', { hidden: true })
    .option('--config-schema', 'the JSON Schema of plugboard.json instead')
    .action((options: { configSchema?: boolean }, command: Command) =>
      lazily(perform, command, () => import('../command/manual.js'), { configSchema: options.configSchema ?? false }),
    );
  define('version', 'print the versions of Plugboard and of its surroundings').action(
    (_options: unknown, command: Command) => lazily(perform, command, () => import('../command/version.js'), undefined),
  );
};
