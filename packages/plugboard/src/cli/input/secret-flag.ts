import type { ProcessContext } from '../../process/process-context.js';
import { readStdin } from './read-stdin.js';
import { invalidArgument } from '../command/invalid-argument.js';

/** A secret from the command line; `-` reads it from standard input, where no other process can see it. */
export const readSecret = async (
  text: string | undefined,
  { stdin, signal }: Pick<ProcessContext, 'stdin' | 'signal'>,
): Promise<string | undefined> => {
  if (text !== '-') return text;
  const secret = (await readStdin(stdin, signal)).trim();
  if (secret !== '') return secret;
  throw invalidArgument(
    '"-" reads a secret from standard input, but the input was empty.',
    'Pipe it in: `pass show api | plugboard add … --token -`.',
  );
};
