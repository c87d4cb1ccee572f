import { PlugboardError } from '@plugboard/contract';
import type { ProcessContext } from '../../process/process-context.js';
import { readStdin } from './read-stdin.js';

/** A secret from the command line; `-` reads it from standard input, where no other process can see it. */
export const readSecret = async (
  text: string | undefined,
  { stdin, signal }: Pick<ProcessContext, 'stdin' | 'signal'>,
): Promise<string | undefined> => {
  if (text !== '-') return text;
  const secret = (await readStdin(stdin, signal)).trim();
  if (secret !== '') return secret;
  throw new PlugboardError('INVALID_ARGUMENT', '"-" reads a secret from standard input, but the input was empty.', {
    hint: 'Pipe it in: `pass show api | plugboard add … --token -`.',
  });
};
