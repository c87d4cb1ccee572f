import type { Command } from 'commander';
import type { AddInput } from './add.js';
import { addAddress, type AddressOptions, addressOf } from '../server-flags/address-options.js';
import type { ConnectionFlags } from '../server-flags/connection-flags.js';
import type { OAuthFlags } from '../server-flags/oauth-flags.js';
import type { ProgramFlags } from '../server-flags/program-flags.js';
import type { SetInput } from './set.js';
import { withConnectionOptions, withProgramOptions } from '../server-flags/add-and-set-options.js';
import { collect, type DefinitionTools } from '../command/define.js';
import { wholeNumber } from '../command/parse-number.js';

const actions = () => import('./server-actions.js');

type AddOptions = AddressOptions &
  Partial<Pick<AddInput, 'authHeader' | 'agent' | keyof ProgramFlags | keyof ConnectionFlags | keyof OAuthFlags>> & {
    readonly var?: readonly string[];
  };

const defineAdd = ({ define, run }: DefinitionTools): void => {
  addAddress(withProgramOptions(withConnectionOptions(define('add', 'register a server and read its tools'))))
    .usage('[options] <name> <url>\n       plugboard add [options] <name> -- <command> [arguments...]')
    .argument('<name>', 'a short name of your choice')
    .argument('[target...]', 'a URL, or a command with its arguments after --')
    .option('--auth-header <name>', 'the header for the token, if it is not Authorization')
    .option(
      '--var <name=value>',
      'a value for {{ NAME }} and ${NAME}; NAME alone takes it from the environment, NAME=- from standard input; may be repeated',
      collect,
    )
    .option('--agent <agent>', 'read its tools with the variables of this agent')
    .addHelpText(
      'after',
      `
A server that cannot be reached, or that needs variables without a value, is still registered, and the exit
code is 0: sync it later.

Examples:
  plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .
  plugboard add files --sandbox --sandbox-write . -- node server-filesystem.js .
  plugboard add web --listen --memory 512 -- node server.js --port {{PORT}}
  plugboard add weather https://weather.example/mcp --header "X-API-Key: …"
  plugboard add old https://old.example/sse --sse`,
    )
    .action((name: string, target: readonly string[], options: AddOptions, command: Command) =>
      run(command, () => import('./add.js'), 'run', {
        ...options,
        ...addressOf(target, options),
        name,
        variables: options.var ?? [],
      }),
    );
};

type SetOptions = Partial<Omit<SetInput, 'server' | 'target' | 'variables' | 'unsetVariables'>> & {
  readonly var?: readonly string[];
  readonly unsetVar?: readonly string[];
};

const defineSet = ({ define, run }: DefinitionTools): void => {
  withProgramOptions(withConnectionOptions(define('set', 'change a server; everything you do not name stays as it is')))
    .usage('[options] <server> [url]\n       plugboard set [options] <server> -- <command> [arguments...]')
    .argument('<server>', 'name or id')
    .argument('[target...]', 'a new URL, or a new command with its arguments after --')
    .option('--name <name>', 'a new name')
    .option('--header <header>', 'set a header, as "Name: value"; may be repeated', collect)
    .option('--unset-header <name>', 'remove a header; may be repeated', collect)
    .option('--token <token>', 'a new bearer token; - reads it from standard input')
    .option('--no-token', 'remove the token')
    .option('--auth-header <name>', 'the header for the token')
    .option('--env <name=value>', 'set an environment variable; may be repeated', collect)
    .option('--unset-env <name>', 'remove an environment variable; may be repeated', collect)
    .option('--cwd <directory>', 'the working directory of the command')
    .option('--no-sandbox', 'run the command without a sandbox')
    .option('--no-sandbox-network', 'disable network access in the sandbox')
    .option('--var <name=value>', 'set a variable; NAME alone takes it from the environment; may be repeated', collect)
    .option('--unset-var <name>', 'remove a variable; may be repeated', collect)
    .option('--enable', 'enable the server')
    .option('--disable', 'disable the server: keep it registered, but do not offer it')
    .option('--enable-tool <tool>', 'enable a tool; may be repeated', collect)
    .option('--disable-tool <tool>', 'disable a tool; may be repeated', collect)
    .action((server: string, target: readonly string[], options: SetOptions, command: Command) =>
      run(command, () => import('./set.js'), 'run', {
        env: [],
        unsetEnv: [],
        header: [],
        unsetHeader: [],
        enable: false,
        disable: false,
        enableTool: [],
        disableTool: [],
        ...options,
        server,
        target,
        variables: options.var ?? [],
        unsetVariables: options.unsetVar ?? [],
      }),
    );
};

const defineOperation = ({ define, run }: DefinitionTools): void => {
  define('restart', 'restart a server')
    .argument('<servers...>', 'names or ids')
    .addHelpText(
      'after',
      `
Closes every connection, stops its programs and clears earlier failures. The tools are read again, so you see at once
whether it works.`,
    )
    .action((servers: readonly string[], _options: unknown, command: Command) =>
      run(command, actions, 'restart', { servers }),
    );
  define('logs', 'show the output, starts and exits of a server')
    .argument('<server>', 'name or id')
    .option('-f, --follow', 'keep printing new entries')
    .option('-n, --lines <number>', 'how many entries to show; default: 100', wholeNumber(1, 1000))
    .action((server: string, options: { follow?: boolean; lines?: number }, command: Command) =>
      run(command, () => import('./logs.js'), 'run', { follow: false, ...options, server }),
    );
};

export const defineServerCommands = (tools: DefinitionTools): void => {
  const { define, run } = tools;
  defineAdd(tools);
  define('list', 'list the registered servers')
    .alias('ls')
    .action((_options: unknown, command: Command) => run(command, actions, 'list', undefined));
  define('show', 'show everything about a server')
    .argument('<server>', 'name or id')
    .action((server: string, _options: unknown, command: Command) =>
      run(command, () => import('./show.js'), 'run', { server }),
    );
  defineSet(tools);
  define('remove', 'remove servers and their tools')
    .alias('rm')
    .argument('<servers...>', 'names or ids')
    .action((servers: readonly string[], _options: unknown, command: Command) =>
      run(command, actions, 'remove', { servers }),
    );
  define('sync', 'read the tools of servers again')
    .argument('[servers...]', 'names or ids; default: all servers')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--agent <agent>', 'use the variables and the login of this agent (name or id)')
    .action((servers: readonly string[], options: { dryRun?: boolean; agent?: string }, command: Command) =>
      run(command, actions, 'sync', { dryRun: false, ...options, servers }),
    );
  defineOperation(tools);
};
