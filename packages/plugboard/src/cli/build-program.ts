import { Command } from 'commander';
import { VERSION } from '../process/version.js';
import { styleFor, wantsColour } from '../terminal/style.js';
import { refill } from '../terminal/wrap-lines.js';
import { defineAgentCommands } from './agent/commands.js';
import { defineAuditCommand } from './audit/commands.js';
import { defineBenchCommand } from './bench/commands.js';
import { defineChaosCommands } from './chaos/commands.js';
import { defineChatCommand } from './chat/commands.js';
import { defineCheckCommands } from './check/commands.js';
import type { Define, DescribeProgram, Perform, RunAction, Screen } from './command/define.js';
import { exitCodeHelp } from './command/exit-codes.js';
import { addSharedOptions, type SharedOptions } from './command/shared-options.js';
import { defineContractCommands } from './contract/commands.js';
import { defineLlmCommand } from './llm/commands.js';
import { defineCompletionCommands } from './completion/commands.js';
import { defineDoctorCommand } from './doctor/commands.js';
import { defineEvalCommand } from './eval/commands.js';
import { defineHealthServiceCommands } from './health-service/commands.js';
import { defineHubCommands } from './hub/commands.js';
import { defineKeyCommands } from './key/commands.js';
import { defineLintCommand } from './lint/commands.js';
import { defineLoginCommands } from './login/commands.js';
import { defineManualCommand } from './manual/commands.js';
import { defineMcpJsonCommands } from './mcp-json/commands.js';
import { defineMonitorCommand } from './monitor/commands.js';
import { definePluginCommands } from './plugin/commands.js';
import { defineRecordingCommands } from './recording/commands.js';
import { defineServerCommands } from './server/commands.js';
import { defineSoakCommand } from './soak/commands.js';
import { defineToolCommands } from './tool/commands.js';
import { defineToolsetCommands } from './toolset/commands.js';
import { defineWorkflowCommands } from './workflow/commands.js';

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
  const describeProgram: DescribeProgram = (screen) => buildProgram(screen, async () => {});
  const run: RunAction = async (command, load, name, input) => {
    const actions = await load();
    await perform(command.optsWithGlobals<SharedOptions>(), (context) => actions[name](context, input));
  };
  const tools = { define, run, describeProgram };
  program.commandsGroup('Servers:');
  defineServerCommands(tools);
  defineLoginCommands(tools);
  defineMcpJsonCommands(tools);
  program.commandsGroup('What servers offer:');
  defineToolCommands(tools);
  defineLintCommand(tools);
  defineToolsetCommands(tools);
  defineChatCommand(tools);
  defineLlmCommand(defineCheckCommands(tools), tools);
  defineBenchCommand(tools);
  defineChaosCommands(tools);
  defineSoakCommand(tools);
  defineContractCommands(tools);
  defineWorkflowCommands(tools);
  defineEvalCommand(tools);
  defineRecordingCommands(tools);
  program.commandsGroup(HUB_GROUP);
  defineHubCommands(tools);
  defineDoctorCommand(tools);
  defineKeyCommands(tools);
  defineAgentCommands(tools);
  defineAuditCommand(tools);
  defineMonitorCommand(tools);
  defineHealthServiceCommands(tools);
  definePluginCommands(tools);
  defineCompletionCommands(tools);
  defineManualCommand(tools);
  const nested = program.commands.flatMap(({ commands }) => commands);
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) {
    group.addHelpCommand(helpCommand());
  }
  for (const command of nested) command.description(command.description() || command.summary());
  for (const command of [program, ...program.commands, ...nested]) addSharedOptions(command);
  return program;
};
