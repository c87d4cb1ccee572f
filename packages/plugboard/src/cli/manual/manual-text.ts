import type { Argument, Command, Option } from 'commander';
import type { DescribeProgram } from '../command/define.js';
import { SHARED_GROUP } from '../command/shared-options.js';
import { EXIT_MEANINGS } from '../command/exit-codes.js';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  '',
];

const withChoices = (entry: Argument | Option): string =>
  entry.argChoices === undefined ? entry.description : `${entry.description}: ${entry.argChoices.join(', ')}`;

const optionRows = (options: readonly Option[]): readonly (readonly string[])[] =>
  options.map((option) => [`\`${option.flags}\``, withChoices(option)]);

const isShared = (option: Option): boolean => option.helpGroupHeading === SHARED_GROUP;

/** What the help of a command says after its options. */
type TextAfter = (command: Command) => string;

/** `toolset add`, for a command of a command. */
const fullName = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

const usageOf = (command: Command): readonly string[] => [
  '```text',
  `plugboard ${fullName(command)} ${command.usage()}`.replaceAll(/\n\s+plugboard/gu, '\nplugboard').trim(),
  '```',
  '',
];

const chapter = (command: Command, textAfter: TextAfter): readonly string[] => {
  const after = textAfter(command).trim();
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter((option) => !isShared(option) && option.long !== '--help');
  const aliases = command.aliases();
  return [
    `### ${fullName(command)}`,
    '',
    `${command.summary().charAt(0).toUpperCase()}${command.summary().slice(1)}.${aliases.length === 0 ? '' : ` Short: \`${aliases.join('`, `')}\`.`}`,
    '',
    ...usageOf(command),
    ...(command.registeredArguments.length === 0
      ? []
      : table(
          ['argument', 'what'],
          command.registeredArguments.map((argument) => [`\`${argument.name()}\``, withChoices(argument)]),
        )),
    ...(options.length === 0 ? [] : table(['option', 'what'], optionRows(options))),
    ...(after === '' ? [] : ['```text', after, '```', '']),
  ];
};

/** The commands of a command. */
const partsOf = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((part) => part.parent === command && part.name() !== 'help');

/** docs/cli.md: every command, option and exit code, as the program itself defines them. */
export const manual = (describeProgram: DescribeProgram): string => {
  let written = '';
  const stdout = { write: (text: string | Uint8Array) => (written += String(text)), isTTY: false, columns: undefined };
  const program = describeProgram({ stdout, stderr: stdout, env: {} });
  const textAfter: TextAfter = (command) => {
    written = '';
    command.outputHelp();
    return written.slice(command.helpInformation().length);
  };
  const help = program.createHelp();
  const commands = help.visibleCommands(program).filter((command) => command.name() !== 'help');
  const groups = [...new Set(commands.map((command) => command.helpGroup()))];
  return [
    '# The command line',
    '',
    'Generated from the command definitions: `plugboard manual > docs/cli.md`.',
    '',
    'Commands use the hub running on the same home, or the one given with `--hub`. If no hub runs, they use the store directly.',
    '',
    '## Options of every command',
    '',
    ...table(['option', 'what'], optionRows(help.visibleOptions(program).filter(isShared))),
    'Colour is used on terminals only; `NO_COLOR` and `FORCE_COLOR` are respected. `PLUGBOARD_API_KEY` is sent to a hub that requires a key. `PLUGBOARD_DEBUG=1` shows the stack trace of an unexpected error.',
    '',
    '## Exit codes',
    '',
    ...table(
      ['code', 'means'],
      EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    ),
    ...groups.flatMap((group) => [
      `## ${group.replace(/:$/u, '')}`,
      '',
      ...commands
        .flatMap((command) => (command.helpGroup() === group ? [command, ...partsOf(command)] : []))
        .flatMap((command) => chapter(command, textAfter)),
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
};
