import { EXIT, type ExitCode } from '@plugboard/contract';
import { candidates } from '../completion/candidates.js';
import { hubNames } from '../completion/hub-names.js';
import { buildProgram } from '../program/build-program.js';
import { printableLine } from '../terminal/printable.js';
import type { CommandContext } from './command-context.js';

export interface CompleteInput {
  /** What was typed after the program's name, the word at the cursor last. */
  readonly words: readonly string[];
}

/** Asked by the completion scripts: one candidate per line, a tab before its description. */
export const run = async ({ out, process, hub }: CommandContext, { words }: CompleteInput): Promise<ExitCode> => {
  const program = buildProgram(process, async () => {});
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
