import { PlugboardError } from '@plugboard/contract';
import { readTextFile } from './read-text-file.js';

/** A secret that stands alone in a file; the end of its line does not belong to it. */
export const readSecretFile = async (path: string, setting: string): Promise<string> => {
  const unusable = (cause?: unknown): PlugboardError =>
    new PlugboardError('CONFIG_INVALID', `The file that ${setting} names cannot be read, or is empty.`, {
      hint: 'The file must contain only the secret, and the user that runs the hub must be able to read it.',
      cause,
    });
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (cause) {
    throw unusable(cause);
  }
  const secret = text.replace(/\r?\n$/u, '');
  if (secret === '') throw unusable();
  return secret;
};
