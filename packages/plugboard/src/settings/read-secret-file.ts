import { PlugboardError } from '@plugboard/contract';
import { readTextFile } from './read-text-file.js';

/** A secret that stands alone in a file; the end of its line does not belong to it. */
export const readSecretFile = async (path: string, setting: string): Promise<string> => {
  const unusable = (cause?: unknown): PlugboardError =>
    new PlugboardError('CONFIG_INVALID', `The file that ${setting} names cannot be read, or is empty.`, {
      hint: 'It must hold the secret and nothing else, and be readable by whoever runs the hub.',
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
