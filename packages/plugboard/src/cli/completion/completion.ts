import { EXIT, type ExitCode } from '@plugboard/contract';
import { completionScript } from './script.js';
import type { Shell } from './shell.js';
import type { CommandContext } from '../command/command-context.js';

export interface CompletionInput {
  readonly shell: Shell;
}

export const run = async ({ out }: CommandContext, { shell }: CompletionInput): Promise<ExitCode> => {
  const script = completionScript(shell);
  out.data({ shell, script });
  out.text(script);
  return EXIT.ok;
};
