import { Command } from 'commander';
import type { ExitCode } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import type { ProcessContext } from '../process-context.js';
import { styleFor, wantsColour } from '../terminal/style.js';
import { refill } from '../terminal/wrap-lines.js';
import { VERSION } from '../version.js';
import { defineAgentCommands } from './agent-commands.js';
import { defineAuditCommand } from './audit-command.js';
import { defineCheckCommands } from './check-commands.js';
import { addSharedOptions, type SharedOptions } from './shared-options.js';
import { defineExchangeCommands } from './exchange-commands.js';
import { exitCodeHelp } from './exit-codes.js';
import { defineHubCommands } from './hub-commands.js';
import { defineKeyCommands } from './key-commands.js';
import { defineRegistryCommands } from './registry-commands.js';
import { defineServerCommands } from './server-commands.js';
import { definePluginCommands } from './plugin-commands.js';
import { defineServiceCommands } from './health-service-commands.js';
import { defineToolsetCommands } from './toolset-commands.js';
import type { Define } from './define.js';

/** Runs the body of a command with everything it needs, and releases that afterwards. */
export type Perform = (common: SharedOptions, work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

type Screen = Pick<ProcessContext, 'stdout' | 'stderr' | 'env'>;

const FALLBACK_WIDTH = 80;
const HUB_GROUP = 'The hub:';

const helpCommand = (): Command => new Command('help').argument('[command]').description('show the help of a command');

const operands = (command: Command): string =>
  command.registeredArguments
    .map((argument) => {
      const name = argument.name() + (argument.variadic ? '...' : '');
      return argument.required ? `<${name}>` : `[${name}]`;
    })
    .join(' ');

/** Every command with its arguments, options and help; what a command does is loaded when it is run. */
export const buildProgram = ({ stdout, stderr, env }: Screen, perform: Perform): Command => {
  const program = new Command('plugboard')
    .description('One hub between agents and MCP servers.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .addHelpCommand(helpCommand().helpGroup(HUB_GROUP))
    .configureHelp({
      subcommandTerm: (command) => [command.name(), operands(command)].join(' ').trim(),
      styleTitle: styleFor(true).bold,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(refill(text, stdout.columns)),
      // The parser's errors are reported once, in our own form.
      writeErr: () => {},
      getOutHelpWidth: () => stdout.columns ?? FALLBACK_WIDTH,
      getErrHelpWidth: () => stderr.columns ?? FALLBACK_WIDTH,
      getOutHasColors: () => wantsColour(env, stdout.isTTY),
    })
    .addHelpText('after', exitCodeHelp);
  const define: Define = (name, summary, options) =>
    program
      .command(name, { hidden: options?.hidden ?? false })
      .summary(summary)
      .description(summary);
  const tools = { define, perform };
  program.commandsGroup('Servers:');
  defineRegistryCommands(tools);
  defineExchangeCommands(tools);
  program.commandsGroup('What servers offer:');
  defineServerCommands(tools);
  defineToolsetCommands(tools);
  defineCheckCommands(tools);
  program.commandsGroup(HUB_GROUP);
  defineHubCommands(tools);
  defineKeyCommands(tools);
  defineAgentCommands(tools);
  defineAuditCommand(tools);
  defineServiceCommands(tools);
  definePluginCommands(tools);
  const nested = program.commands.flatMap(({ commands }) => commands);
  for (const group of program.commands.filter(({ commands }) => commands.length > 0))
    group.addHelpCommand(helpCommand());
  for (const command of [program, ...program.commands, ...nested]) addSharedOptions(command);
  return program;
};
