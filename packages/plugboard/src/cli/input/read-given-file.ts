import { readFile } from 'node:fs/promises';
import { PlugboardError } from '@plugboard/contract';

/** The text of a file that the command line names; `shown` is its name as it was given. */
export const readGivenFile = async (path: string, shown = path): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new PlugboardError('INVALID_ARGUMENT', `The file ${shown} cannot be read.`, {
      hint: 'Check the path and its permissions.',
      cause,
    });
  }
};
