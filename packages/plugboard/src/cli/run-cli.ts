import { type Command, CommanderError } from 'commander';
import {
  ERROR_CODES,
  EXIT,
  type ExitCode,
  forTerminal,
  type PlugboardError,
  toPlugboardError,
} from '@plugboard/contract';
import type { CommandContext } from './command/command-context.js';
import type { HubApi } from '../hub-api/hub-api.js';
import type { ProcessContext } from '../process/process-context.js';
import { createOutput, type Output, type OutputMode } from '../terminal/output.js';
import { explainError } from '../terminal/explain-error.js';
import type { Settings } from '../settings/settings.js';
import { buildProgram } from './build-program.js';
import type { SharedOptions } from './command/shared-options.js';
import { commandContext } from './open-context.js';
import { invalidArgument } from './command/invalid-argument.js';

/** What the CLI needs from outside itself. */
export interface CliPorts {
  readonly openHub: (
    process: ProcessContext,
    url: string | undefined,
    settings: () => Promise<Settings>,
  ) => Promise<HubApi>;
}

const INTERRUPTED = 130;

export type CliExit = ExitCode | typeof INTERRUPTED;

/** The output mode for errors that occur before the flags are parsed. */
const guessedMode = (argv: readonly string[]): OutputMode => {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  return { json: flags.includes('--json'), quiet: flags.includes('--quiet') || flags.includes('-q') };
};

const report = (thrown: unknown, process: ProcessContext, out: Output): CliExit => {
  if (process.signal.aborted) return INTERRUPTED;
  const error = toPlugboardError(thrown);
  const told = forTerminal(error.toJSON());
  out.data({ error: told });
  out.problem(explainError(told, out.noteStyle, process.stderr.columns));
  if (error.code === 'INTERNAL' && (process.env['PLUGBOARD_DEBUG'] ?? '') !== '') {
    const { cause } = error;
    out.problem(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  return ERROR_CODES[error.code].exit;
};

const sentence = (text: string): string => {
  const trimmed = text.replace(/^error:\s*/u, '').trim();
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/u.test(capital) ? capital : `${capital}.`;
};

const DASHES_HINT = 'Put the options of a program after two dashes: plugboard add files -- npx -y some-server';

/** What the parser says of the line that calls `command`, with its suggestion as the hint. */
const usageMessage = (message: string, command = 'plugboard'): PlugboardError => {
  const [first = '', ...rest] = message.split('\n');
  const suggestion = rest
    .map((line) => /^\(Did you mean (?<names>.+)\?\)$/u.exec(line.trim())?.groups?.['names'])
    .find(Boolean);
  const unknownShort = /unknown option '-[a-zA-Z]'/u.test(first);
  const hints = [
    ...(suggestion === undefined ? [] : [`Did you mean ${suggestion}?`]),
    ...(unknownShort ? [DASHES_HINT] : []),
    ...(suggestion === undefined && !unknownShort ? [`\`${command} --help\` lists its options and arguments.`] : []),
  ];
  return invalidArgument(sentence(first), hints.join(' '));
};

/** Help and version are not failures; everything else that the parser refuses is a mistake in the command line. */
const fromCommander = (error: CommanderError, command: string): PlugboardError | undefined =>
  error.exitCode === 0 || error.code === 'commander.help' ? undefined : usageMessage(error.message, command);

/** The command that a line names, with the commands that it belongs to. */
const commandIn = (program: Command, argv: readonly string[]): string => {
  let command = program;
  for (const word of argv) {
    const named = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (named === undefined) break;
    command = named;
  }
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return names.join(' ');
};

/** Runs one command line and says how it ended. Never rejects. */
export const runCli = async (process: ProcessContext, ports: CliPorts): Promise<CliExit> => {
  let exit: CliExit = EXIT.ok;
  const out = createOutput(process, guessedMode(process.argv));
  const perform = async (
    common: SharedOptions,
    work: (context: CommandContext) => Promise<ExitCode>,
  ): Promise<void> => {
    const opened = commandContext(process, common, ports);
    try {
      exit = await work(opened.context);
    } finally {
      await opened.close();
    }
  };
  const program = buildProgram(process, perform);
  try {
    if (process.argv.length === 0) {
      program.outputHelp();
      return EXIT.ok;
    }
    await program.parseAsync([...process.argv], { from: 'user' });
    return process.signal.aborted && exit !== EXIT.ok ? INTERRUPTED : exit;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) return report(thrown, process, out);
    const usage = fromCommander(thrown, commandIn(program, process.argv));
    return usage === undefined ? EXIT.ok : report(usage, process, out);
  }
};
