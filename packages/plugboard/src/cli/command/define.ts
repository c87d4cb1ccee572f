import type { Command } from 'commander';
import type { ExitCode } from '@plugboard/contract';
import type { CommandContext } from './command-context.js';
import type { SharedOptions } from './shared-options.js';
import type { ProcessContext } from '../../process/process-context.js';

/** Runs the body of a command with everything it needs, and releases that afterwards. */
export type Perform = (common: SharedOptions, work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

/** Where help is written. */
export type Screen = Pick<ProcessContext, 'stdout' | 'stderr' | 'env'>;

/** The whole program, to be looked at: its commands do nothing. */
export type DescribeProgram = (screen: Screen) => Command;

/** Starts the definition of a command. */
export type Define = (name: string, summary: string, options?: { readonly hidden: boolean }) => Command;

type Action<Input> = (context: CommandContext, input: Input) => Promise<ExitCode>;

/** Loads the action of a command only when it is run: none pays for the imports of another. */
export type RunAction = <Name extends string, Input>(
  command: Command,
  load: () => Promise<Readonly<Record<NoInfer<Name>, Action<NoInfer<Input>>>>>,
  name: Name,
  input: Input,
) => Promise<void>;

export interface DefinitionTools {
  readonly define: Define;
  readonly run: RunAction;
  readonly describeProgram: DescribeProgram;
}

/** For options that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
