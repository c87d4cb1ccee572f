import type { Command } from 'commander';
import type { ExitCode } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import type { SharedOptions } from './shared-options.js';
import type { Perform } from './build-program.js';

/** Starts the definition of a command. */
export type Define = (name: string, summary: string, options?: { readonly hidden: boolean }) => Command;

export interface DefinitionTools {
  readonly define: Define;
  readonly perform: Perform;
}

interface CommandModule<Input> {
  readonly run: (context: CommandContext, input: Input) => Promise<ExitCode>;
}

/** Loads a command only when it is run: none pays for the imports of another. */
export const lazily = async <Input>(
  perform: Perform,
  command: Command,
  load: () => Promise<CommandModule<Input>>,
  input: Input,
): Promise<void> => {
  const { run } = await load();
  await perform(command.optsWithGlobals<SharedOptions>(), (context) => run(context, input));
};

/** For options that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
