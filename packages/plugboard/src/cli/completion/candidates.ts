import type { Argument, Command, Option } from 'commander';

/** One word that could stand at the cursor. */
interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Names that only a hub knows; each may answer with nothing. */
export interface NameSource {
  servers(): Promise<readonly Candidate[]>;
  tools(server: string): Promise<readonly Candidate[]>;
  parameters(server: string, tool: string): Promise<readonly Candidate[]>;
  agents(): Promise<readonly Candidate[]>;
}

const plain = (values: readonly string[]): readonly Candidate[] => values.map((value) => ({ value, description: '' }));

const optionFor = (command: Command, word: string | undefined): Option | undefined =>
  command.options.find((option) => option.long === word || option.short === word);

interface Typed {
  readonly command: Command;
  readonly operands: readonly string[];
  /** The option whose value is being typed. */
  readonly pending: Option | undefined;
  /** Everything after two dashes belongs to somebody else. */
  readonly ended: boolean;
}

const readWords = (program: Command, words: readonly string[]): Typed => {
  let command = program;
  const operands: string[] = [];
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined;
    } else if (word === '--') {
      return { command, operands, pending: undefined, ended: true };
    } else if (word.startsWith('-')) {
      const option = optionFor(command, word);
      pending = option?.required === true ? option : undefined;
    } else {
      const next =
        operands.length === 0
          ? command.commands.find((known) => known.name() === word || known.aliases().includes(word))
          : undefined;
      if (next === undefined) operands.push(word);
      else command = next;
    }
  }
  return { command, operands, pending, ended: false };
};

const commandCandidates = (parent: Command): readonly Candidate[] =>
  parent
    .createHelp()
    .visibleCommands(parent)
    .map((command) => ({ value: command.name(), description: command.summary() }));

const optionCandidates = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ value: option.long ?? option.short ?? '', description: option.description }));

const argumentAt = (command: Command, position: number): Argument | undefined => {
  const { registeredArguments } = command;
  return (
    registeredArguments[position] ??
    (registeredArguments.at(-1)?.variadic === true ? registeredArguments.at(-1) : undefined)
  );
};

const operandCandidates = async ({ command, operands }: Typed, names: NameSource): Promise<readonly Candidate[]> => {
  const argument = argumentAt(command, operands.length);
  if (argument?.argChoices !== undefined) return plain(argument.argChoices);
  const server = operands[command.registeredArguments.findIndex((each) => each.name() === 'server')];
  switch (argument?.name()) {
    case 'server':
    case 'servers':
      return (await names.servers()).filter(({ value }) => !operands.includes(value));
    case 'agent':
    case 'agents':
      return (await names.agents()).filter(({ value }) => !operands.includes(value));
    case 'tool':
    case 'tools':
      return server === undefined ? [] : (await names.tools(server)).filter(({ value }) => !operands.includes(value));
    default:
      return [];
  }
};

const SERVER_OPTIONS: ReadonlySet<string> = new Set(['--server', '--attach-server', '--detach-server']);

const valueCandidates = async (
  option: Option,
  { operands }: Typed,
  names: NameSource,
): Promise<readonly Candidate[]> => {
  if (option.argChoices !== undefined) return plain(option.argChoices);
  if (option.long === '--agent') return names.agents();
  if (SERVER_OPTIONS.has(option.long ?? '')) return names.servers();
  const [server, tool] = operands;
  if (server === undefined) return [];
  if (option.long === '--arg' && tool !== undefined) return names.parameters(server, tool);
  return option.long === '--enable-tool' || option.long === '--disable-tool' ? names.tools(server) : [];
};

/** The words that could stand where the last of `words` is being typed. */
export const candidates = async (
  program: Command,
  words: readonly string[],
  names: NameSource,
): Promise<readonly Candidate[]> => {
  const current = words.at(-1) ?? '';
  const typed = readWords(program, words.slice(0, -1));
  if (typed.ended) return [];
  const offered = await (async (): Promise<readonly Candidate[]> => {
    if (typed.pending !== undefined) return valueCandidates(typed.pending, typed, names);
    if (current.startsWith('-')) return optionCandidates(typed.command);
    if (typed.command.commands.length > 0) return typed.operands.length === 0 ? commandCandidates(typed.command) : [];
    return operandCandidates(typed, names);
  })();
  return offered.filter(({ value }) => value.startsWith(current));
};
