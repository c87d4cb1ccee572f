import { EXIT, type ExitCode } from '@plugboard/contract';
import { candidates } from './candidates.js';
import { hubNames } from './hub-names.js';
import { printableLine } from '../../terminal/printable.js';
import type { CommandContext } from '../command/command-context.js';
import type { DescribeProgram } from '../command/define.js';
import { completionScript, type Shell } from './script.js';

export interface CompleteInput {
  /** What was typed after the program's name, the word at the cursor last. */
  readonly words: readonly string[];
  readonly describeProgram: DescribeProgram;
}

/** Asked by the completion scripts: one candidate per line, a tab before its description. */
export const complete = async (
  { out, process, hub }: CommandContext,
  { words, describeProgram }: CompleteInput,
): Promise<ExitCode> => {
  const program = describeProgram(process);
  const found = await candidates(program, words, hubNames(hub));
  out.data(found);
  // A name with a line break or a control character could not be typed anyway; one that looks like an option would be
  // taken for it.
  const wantsOption = words.at(-1)?.startsWith('-') === true;
  const typeable = found.filter(
    ({ value }) => printableLine(value) === value && (wantsOption || !value.startsWith('-')),
  );
  out.text(typeable.map(({ value, description }) => `${value}\t${printableLine(description)}`).join('\n'));
  return EXIT.ok;
};

export const printScript = async ({ out }: CommandContext, { shell }: { readonly shell: Shell }): Promise<ExitCode> => {
  const script = completionScript(shell);
  out.data({ shell, script });
  out.text(script);
  return EXIT.ok;
};
